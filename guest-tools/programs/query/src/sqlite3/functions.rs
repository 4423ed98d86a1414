//! The functions that the shell adds to SQLite's.

use offshoot_sqlite::{Connection, Error, Value};

use crate::system;

/// An error of the shell itself.
pub fn error(message: String) -> Error {
    let mut error = Error::default();
    error.code = 1;
    error.message = message;
    error
}

/// Adds them to a connection.
pub fn add(connection: &Connection) -> Result<(), Error> {
    connection.add_function("regexp", 2, |arguments| match arguments {
        [Value::Null, _] | [_, Value::Null] => Ok(Value::Null),
        [pattern, subject] => {
            let pattern = String::from_utf8_lossy(&text(pattern)).into_owned();
            let regex = regex::bytes::Regex::new(&pattern)
                .map_err(|_| "bad regular expression".to_owned())?;
            Ok(Value::Integer(i64::from(regex.is_match(&text(subject)))))
        }
        _ => Ok(Value::Null),
    })?;
    connection.add_function("readfile", 1, |arguments| match arguments {
        [Value::Null] => Ok(Value::Null),
        [path] => Ok(system::read_whole(&text(path)).map_or(Value::Null, Value::Blob)),
        _ => Ok(Value::Null),
    })?;
    connection.add_function("writefile", 2, |arguments| {
        let [path, content] = arguments else {
            return Ok(Value::Null);
        };
        let (path, content) = (text(path), text(content));
        let written = system::create_file(&path, false).and_then(|mut file| {
            std::io::Write::write_all(&mut file, &content)?;
            Ok(())
        });
        match written {
            Ok(()) => Ok(Value::Integer(content.len() as i64)),
            Err(_) => Err(format!(
                "failed to write file: {}",
                String::from_utf8_lossy(&path)
            )),
        }
    })
}

/// A value as text.
pub fn text(value: &Value) -> Vec<u8> {
    match value {
        Value::Null => Vec::new(),
        Value::Integer(number) => number.to_string().into_bytes(),
        Value::Real(number) => super::literal::real(*number).into_bytes(),
        Value::Text(bytes) | Value::Blob(bytes) => bytes.clone(),
    }
}
