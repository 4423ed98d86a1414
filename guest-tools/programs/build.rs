//! Turns `commands.txt` into the dispatch function and the list of names.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=commands.txt");
    let table = fs::read_to_string("commands.txt")?;
    let (mut arms, mut names) = (String::new(), String::new());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let Some((name, target)) = line.split_once(' ') else {
            continue;
        };
        writeln!(names, "    {name:?},")?;
        let target = target.split(' ').next().unwrap_or(target);
        match target.strip_prefix("uu_") {
            Some(crate_name) => writeln!(
                arms,
                "        #[cfg(target_os = \"wasi\")]\n        {name:?} => coreutil(call, {crate_name:?}, uu_{crate_name}::uu_app, uu_{crate_name}::uumain),"
            )?,
            None => writeln!(arms, "        {name:?} => crate::{target}(call),")?,
        }
    }
    let code = format!(
        "/// All command names.\npub const NAMES: &[&str] = &[\n{names}];\n\n\
         fn dispatch(name: &str, call: &crate::call::Call) -> Option<i32> {{\n    Some(match name {{\n{arms}        _ => return None,\n    }})\n}}\n"
    );
    fs::write(Path::new(&env::var("OUT_DIR")?).join("commands.rs"), code)?;
    Ok(())
}
