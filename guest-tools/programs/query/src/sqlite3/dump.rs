//! `.dump`: the database as the statements that make it anew.
//!
//! The text runs in one transaction with foreign keys off. Tables come in the order of their making, each followed by
//! its rows; then indexes, triggers and views. Virtual tables are written into the schema directly, so that their
//! shadow tables are not made twice.

use super::literal;
use super::print::Printer;
use super::schema::{self, sql_text};
use super::settings::{Mode, Settings};
use super::shell::Shell;

/// What the options ask for.
#[derive(Default)]
struct Wanted {
    /// Rows alone (`--data-only`).
    data_only: bool,
    /// Without SQLite's own tables (`--nosys`).
    no_system: bool,
    /// Line ends in texts stay as they are (`--newlines`).
    newlines: bool,
    /// Names to write, as patterns of LIKE; none means all.
    patterns: Vec<Vec<u8>>,
}

/// Runs `.dump`, in a transaction of its own unless there is one, so that all of it is of one moment.
pub fn run(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    let wanted = wanted(words)?;
    let filter = filter(&wanted.patterns);
    if !wanted.data_only {
        shell
            .out
            .put("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n");
    }
    let connection = shell
        .connection()
        .map_err(|error| format!("Error: {error}"))?;
    let own = connection.is_autocommit();
    if own {
        connection
            .execute("BEGIN")
            .map_err(|error| format!("Error: {error}"))?;
    }
    let newlines = std::mem::replace(&mut shell.settings.newlines, wanted.newlines);
    let result = body(shell, &wanted, &filter);
    shell.settings.newlines = newlines;
    if own && let Ok(connection) = shell.connection() {
        // Nothing was changed.
        let _ = connection.execute("COMMIT");
    }
    if !wanted.data_only {
        shell.out.put(if result.is_ok() {
            "COMMIT;\n"
        } else {
            "ROLLBACK; -- due to errors\n"
        });
    }
    result
}

fn wanted(words: &[Vec<u8>]) -> Result<Wanted, Vec<u8>> {
    let mut wanted = Wanted::default();
    for word in words {
        let Some(option) = word.strip_prefix(b"-") else {
            wanted.patterns.push(word.clone());
            continue;
        };
        match option.strip_prefix(b"-").unwrap_or(option) {
            b"data-only" => wanted.data_only = true,
            b"nosys" => wanted.no_system = true,
            b"newlines" => wanted.newlines = true,
            _ => return Err(["Unknown option \"".as_bytes(), word, b"\" on \".dump\""].concat()),
        }
    }
    Ok(wanted)
}

/// The condition on the objects, `o` in the query.
fn filter(patterns: &[Vec<u8>]) -> String {
    if patterns.is_empty() {
        return "true".to_owned();
    }
    let one = |pattern: &Vec<u8>| {
        let text = sql_text(pattern);
        format!(
            "name LIKE {text} ESCAPE '\\' OR EXISTS (SELECT 1 FROM sqlite_schema WHERE name LIKE {text} ESCAPE '\\' \
             AND sql LIKE 'CREATE VIRTUAL TABLE%' AND substr(o.name, 1, length(name)+1) == (name||'_'))"
        )
    };
    patterns.iter().map(one).collect::<Vec<_>>().join(" OR ")
}

/// All objects that the filter lets through.
fn body(shell: &mut Shell, wanted: &Wanted, filter: &str) -> Result<(), Vec<u8>> {
    let tables = schema::rows(
        shell,
        &format!(
            "SELECT name, sql FROM sqlite_schema AS o WHERE ({filter}) AND type=='table' AND sql NOT NULL \
             ORDER BY tbl_name='sqlite_sequence', rowid"
        ),
    )?;
    let mut writable = false;
    for row in &tables {
        table(shell, wanted, &row[0], &row[1], &mut writable)?;
    }
    if wanted.data_only {
        return Ok(());
    }
    let others = schema::rows(
        shell,
        &format!(
            "SELECT sql FROM sqlite_schema AS o WHERE ({filter}) AND sql NOT NULL AND type IN ('index','trigger','view')"
        ),
    )?;
    for row in others {
        shell.out.put([&row[0][..], b";\n"].concat());
    }
    if writable {
        shell.out.put("PRAGMA writable_schema=OFF;\n");
    }
    Ok(())
}

/// One table. `writable` says whether `writable_schema` was turned on in the text.
fn table(
    shell: &mut Shell,
    wanted: &Wanted,
    name: &[u8],
    sql: &[u8],
    writable: &mut bool,
) -> Result<(), Vec<u8>> {
    if name.starts_with(b"sqlite_") {
        if wanted.no_system {
            return Ok(());
        }
        let statistics = name.starts_with(b"sqlite_stat") && name.len() == 12;
        if !wanted.data_only {
            match name {
                b"sqlite_sequence" => shell.out.put("DELETE FROM sqlite_sequence;\n"),
                _ if statistics => shell.out.put("ANALYZE sqlite_schema;\n"),
                _ => return Ok(()),
            }
        }
    } else if sql.starts_with(b"CREATE VIRTUAL TABLE") {
        if wanted.data_only {
            return Ok(());
        }
        if !std::mem::replace(writable, true) {
            shell.out.put("PRAGMA writable_schema=ON;\n");
        }
        let (name, sql) = (literal::quoted(name), literal::quoted(sql));
        let head = b"INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table',";
        shell
            .out
            .put([&head[..], &name, b",", &name, b",0,", &sql, b");\n"].concat());
        return Ok(());
    } else if !wanted.data_only {
        shell.out.put(schema::statement(sql, b";\n"));
    }
    let columns = schema::rows(shell, &format!("PRAGMA table_info({})", sql_text(name)))?;
    let columns: Vec<_> = columns
        .iter()
        .map(|row| literal::double_quoted(&row[1]))
        .collect();
    let columns = String::from_utf8_lossy(&columns.join(&b',')).into_owned();
    let from = String::from_utf8_lossy(&literal::double_quoted(name)).into_owned();
    content(shell, name, &format!("SELECT {columns} FROM {from}"))
}

/// The rows of a query as `INSERT` statements.
pub fn content(shell: &mut Shell, table: &[u8], query: &str) -> Result<(), Vec<u8>> {
    let settings = Settings {
        mode: Mode::Insert,
        table: table.to_vec(),
        newlines: shell.settings.newlines,
        ..Settings::default()
    };
    let failed = |error: offshoot_sqlite::Error| format!("Error: {error}").into_bytes();
    let mut text = Vec::new();
    {
        let connection = shell.connection().map_err(failed)?;
        let (statement, _) = connection.prepare(query.as_bytes()).map_err(failed)?;
        if let Some(mut statement) = statement {
            let mut printer = Printer::new(&settings, &statement);
            while statement.step().map_err(failed)? {
                printer.row(&statement, &mut text);
            }
        }
    }
    shell.out.put(text);
    Ok(())
}
