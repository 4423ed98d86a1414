//! `.tables`, `.indexes`, `.databases` and `.schema`.

use super::literal;
use super::shell::Shell;

/// The rows of a query as text; NULL is empty.
///
/// One list of columns for each row. The whole result is held.
pub fn rows(shell: &Shell, sql: &str) -> Result<Vec<Vec<Vec<u8>>>, Vec<u8>> {
    let failed = |error: offshoot_sqlite::Error| format!("Error: {error}").into_bytes();
    let connection = shell.connection().map_err(failed)?;
    let (statement, _) = connection.prepare(sql.as_bytes()).map_err(failed)?;
    let mut rows = Vec::new();
    if let Some(mut statement) = statement {
        while statement.step().map_err(failed)? {
            let row =
                (0..statement.columns()).map(|column| statement.text(column).unwrap_or_default());
            rows.push(row.collect());
        }
    }
    Ok(rows)
}

/// A text as an SQL literal in a query.
pub fn sql_text(text: &[u8]) -> String {
    String::from_utf8_lossy(&literal::quoted(text)).into_owned()
}

/// The names of the databases of the connection.
fn schemas(shell: &Shell) -> Result<Vec<Vec<u8>>, Vec<u8>> {
    let list = rows(shell, "PRAGMA database_list")?;
    Ok(list
        .into_iter()
        .filter_map(|mut row| (row.len() > 1).then(|| row.swap_remove(1)))
        .collect())
}

/// A name in double quotes.
fn identifier(name: &[u8]) -> String {
    String::from_utf8_lossy(&literal::double_quoted(name)).into_owned()
}

/// `.tables` and `.indexes`: names in columns.
///
/// Sorted downwards in as many columns as 80 characters hold. The pattern is one of LIKE.
pub fn names(shell: &mut Shell, indexes: bool, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    if words.len() > 1 && indexes {
        return Err(b"Usage: .indexes ?LIKE-PATTERN?".to_vec());
    }
    let pattern = words
        .first()
        .map_or_else(|| "'%'".to_owned(), |pattern| sql_text(pattern));
    let mut parts = Vec::new();
    for schema in schemas(shell)? {
        let from = identifier(&schema);
        let prefix = if schema == b"main" {
            String::new()
        } else {
            format!("{}||'.'||", sql_text(&schema))
        };
        parts.push(if indexes {
            format!("SELECT {prefix}name FROM {from}.sqlite_schema WHERE type='index' AND tbl_name LIKE {pattern} ESCAPE '\\'")
        } else {
            format!(
                "SELECT {prefix}name FROM {from}.sqlite_schema WHERE type IN ('table','view') \
                 AND name NOT LIKE 'sqlite__%' ESCAPE '_' AND name LIKE {pattern} ESCAPE '\\'"
            )
        });
    }
    let found = rows(shell, &format!("{} ORDER BY 1", parts.join(" UNION ALL ")))?;
    let names: Vec<Vec<u8>> = found.into_iter().filter_map(|mut row| row.pop()).collect();
    let widest = names.iter().map(Vec::len).max().unwrap_or(0);
    let across = (80 / (widest + 2)).max(1);
    let down = names.len().div_ceil(across);
    for line in 0..down {
        let mut text = Vec::new();
        for (column, name) in names.iter().skip(line).step_by(down).enumerate() {
            if column > 0 {
                text.extend_from_slice(b"  ");
            }
            text.extend_from_slice(name);
            text.resize(text.len() + widest - name.len(), b' ');
        }
        text.push(b'\n');
        shell.out.put(text);
    }
    Ok(())
}

/// `.databases`: name, file, and whether it can be written.
pub fn databases(shell: &mut Shell) -> Result<(), Vec<u8>> {
    for row in rows(shell, "PRAGMA database_list")? {
        let [_, name, file] = &row[..] else {
            continue;
        };
        let text = String::from_utf8_lossy(name);
        let access = if shell
            .connection()
            .is_ok_and(|connection| connection.is_read_only(&text))
        {
            "r/o"
        } else {
            "r/w"
        };
        let file: &[u8] = if file.is_empty() { b"\"\"" } else { file };
        shell
            .out
            .put([name, &b": "[..], file, format!(" {access}\n").as_bytes()].concat());
    }
    Ok(())
}

/// `.schema`: the statements that made the objects. A pattern with `*`, `?` or `[` is one of GLOB, any other one of
/// LIKE.
pub fn print(shell: &mut Shell, words: &[Vec<u8>]) -> Result<(), Vec<u8>> {
    let (mut pattern, mut system) = (None, true);
    for word in words {
        match word.as_slice() {
            b"--nosys" | b"-nosys" => system = false,
            option if option.starts_with(b"-") => {
                let option = String::from_utf8_lossy(option);
                return Err(format!(
                    "Unknown option: \"{option}\"\nUsage: .schema ?--nosys? ?LIKE-PATTERN?"
                )
                .into_bytes());
            }
            _ if pattern.is_some() => {
                return Err(b"Usage: .schema ?--nosys? ?LIKE-PATTERN?".to_vec());
            }
            _ => pattern = Some(word.to_ascii_lowercase()),
        }
    }
    let condition = match &pattern {
        None => String::new(),
        Some(pattern) => {
            let text = sql_text(pattern);
            if memchr::memchr3(b'*', b'?', b'[', pattern).is_some() {
                format!("AND lower(tbl_name) GLOB {text}")
            } else {
                format!("AND lower(tbl_name) LIKE {text} ESCAPE '\\'")
            }
        }
    };
    let hidden = if system {
        ""
    } else {
        "AND name NOT LIKE 'sqlite__%' ESCAPE '_'"
    };
    for schema in schemas(shell)? {
        let from = identifier(&schema);
        let found = rows(
            shell,
            &format!(
                "SELECT sql, type, name FROM {from}.sqlite_schema WHERE sql IS NOT NULL {condition} {hidden} ORDER BY rowid"
            ),
        )?;
        for row in found {
            let sql = in_schema(&row[0], &schema);
            let mut text = statement(&sql, b"");
            if row[1] == b"view" || row[0].starts_with(b"CREATE VIRTUAL") {
                text.extend_from_slice(&columns_comment(shell, &schema, &row[2]));
            }
            text.extend_from_slice(b";\n");
            shell.out.put(text);
        }
    }
    Ok(())
}

/// `.fullschema`: the statements, and the statistics of `ANALYZE` as `INSERT`.
pub fn full(shell: &mut Shell) -> Result<(), Vec<u8>> {
    let found = rows(
        shell,
        "SELECT sql FROM (SELECT sql, type, name, rowid AS r FROM sqlite_schema UNION ALL \
         SELECT sql, type, name, rowid AS r FROM sqlite_temp_schema) \
         WHERE sql NOT NULL AND name NOT LIKE 'sqlite__%' ESCAPE '_' ORDER BY r",
    )?;
    for row in found {
        shell.out.put(statement(&row[0], b";\n"));
    }
    let statistics = rows(
        shell,
        "SELECT name FROM sqlite_schema WHERE name GLOB 'sqlite_stat[134]'",
    )?;
    if statistics.is_empty() {
        shell.out.put("/* No STAT tables available */\n");
        return Ok(());
    }
    shell.out.put("ANALYZE sqlite_schema;\n");
    for row in statistics {
        let table = String::from_utf8_lossy(&row[0]).into_owned();
        super::dump::content(
            shell,
            table.as_bytes(),
            &format!("SELECT * FROM {}", identifier(&row[0])),
        )?;
    }
    shell.out.put("ANALYZE sqlite_schema;\n");
    Ok(())
}

/// A statement of the schema, which does not fail where a quoted table is there.
///
/// A table made by `ALTER TABLE … RENAME` has its name in quotes, which is how the original tells.
pub fn statement(sql: &[u8], tail: &[u8]) -> Vec<u8> {
    let quoted = sql
        .strip_prefix(b"CREATE TABLE ")
        .filter(|rest| matches!(rest.first(), Some(b'\'' | b'"')));
    match quoted {
        Some(rest) => [b"CREATE TABLE IF NOT EXISTS ", rest, tail].concat(),
        None => [sql, tail].concat(),
    }
}

/// The statement with the name of its database, unless that is the main one.
fn in_schema(sql: &[u8], schema: &[u8]) -> Vec<u8> {
    if schema == b"main" {
        return sql.to_vec();
    }
    for kind in [
        "TABLE ",
        "INDEX ",
        "UNIQUE INDEX ",
        "VIEW ",
        "TRIGGER ",
        "VIRTUAL TABLE ",
    ] {
        let head = format!("CREATE {kind}");
        if sql.len() > head.len() && sql[..head.len()].eq_ignore_ascii_case(head.as_bytes()) {
            return [
                head.as_bytes(),
                &literal::name(schema),
                b".",
                &sql[head.len()..],
            ]
            .concat();
        }
    }
    sql.to_vec()
}

/// The columns of a view, as a comment.
fn columns_comment(shell: &Shell, schema: &[u8], name: &[u8]) -> Vec<u8> {
    let query = format!(
        "PRAGMA {}.table_info({})",
        identifier(schema),
        identifier(name)
    );
    let Ok(columns) = rows(shell, &query) else {
        return Vec::new();
    };
    if columns.is_empty() {
        return Vec::new();
    }
    let names: Vec<_> = columns.iter().map(|row| literal::name(&row[1])).collect();
    let prefix = if schema == b"main" {
        Vec::new()
    } else {
        [&literal::name(schema)[..], b"."].concat()
    };
    [
        b"\n/* ",
        &prefix[..],
        &literal::name(name),
        b"(",
        &names.join(&b','),
        b") */",
    ]
    .concat()
}
