//! Lets a module of WebAssembly ask its host now and then whether it may go on.
//!
//! Engines of JavaScript count nothing and interrupt nothing. [`metered`] puts a counter into a module, which goes
//! down in each round of a loop and at each call of a function that calls others. Where it is used up, the module
//! calls `offshoot:meter` `spend`, which answers how far it may go next, or does not come back.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, EntityType, GlobalSection, GlobalType, ImportSection,
    Instruction, Module, TypeSection, ValType,
};
use wasmparser::{
    FunctionBody, GlobalSectionReader, ImportSectionReader, Operator, Parser, Payload, TypeRef,
    TypeSectionReader,
};

/// The module and the name of the function that is imported.
pub const SPEND: (&str, &str) = ("offshoot:meter", "spend");

/// What an instrumented module is, or why there is none.
pub type Result<T> = std::result::Result<T, Error<Infallible>>;

/// The module with a counter; none where it has nothing that a counter could go into.
///
/// # Errors
/// Where it is no module of WebAssembly.
pub fn metered(bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let Some(mut meter) = Meter::of(bytes)? else {
        return Ok(None);
    };
    let mut module = Module::new();
    utils::parse_core_module(&mut meter, &mut module, Parser::new(0), bytes)?;
    Ok(Some(module.finish()))
}

/// Where things lie in a module, before and after.
struct Meter {
    /// Functions that were imported before: those after them move by one.
    functions: u32,
    /// The type of the import, behind the others.
    kind: u32,
    /// The counter, behind the other globals.
    counter: u32,
}

impl Meter {
    fn of(bytes: &[u8]) -> Result<Option<Meter>> {
        let (mut types, mut functions, mut globals) = (None, None, 0);
        let (mut has_globals, mut has_code) = (false, false);
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    let mut count = 0;
                    for group in section {
                        count += group?.types().len() as u32;
                    }
                    types = Some(count);
                }
                Payload::ImportSection(section) => {
                    let mut count = 0;
                    for import in section.into_imports() {
                        match import?.ty {
                            TypeRef::Func(_) | TypeRef::FuncExact(_) => count += 1,
                            TypeRef::Global(_) => globals += 1,
                            _ => {}
                        }
                    }
                    functions = Some(count);
                }
                Payload::GlobalSection(section) => {
                    has_globals = true;
                    globals += section.count();
                }
                Payload::CodeSectionStart { .. } => has_code = true,
                _ => {}
            }
        }
        let (Some(kind), Some(functions)) = (types, functions) else {
            return Ok(None);
        };
        let counter = globals;
        Ok((has_globals && has_code).then_some(Meter {
            functions,
            kind,
            counter,
        }))
    }

    /// Counts, and asks where the counter is used up.
    fn check(&self) -> [Instruction<'static>; 11] {
        [
            Instruction::GlobalGet(self.counter),
            Instruction::I32Const(1),
            Instruction::I32Sub,
            Instruction::GlobalSet(self.counter),
            Instruction::GlobalGet(self.counter),
            Instruction::I32Const(0),
            Instruction::I32LtS,
            Instruction::If(BlockType::Empty),
            Instruction::Call(self.functions),
            Instruction::GlobalSet(self.counter),
            Instruction::End,
        ]
    }
}

impl Reencode for Meter {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32> {
        Ok(function + u32::from(function >= self.functions))
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<()> {
        utils::parse_type_section(self, types, section)?;
        types.ty().function([], [ValType::I32]);
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: ImportSectionReader<'_>,
    ) -> Result<()> {
        utils::parse_import_section(self, imports, section)?;
        imports.import(SPEND.0, SPEND.1, EntityType::Function(self.kind));
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> Result<()> {
        utils::parse_global_section(self, globals, section)?;
        let kind = GlobalType {
            val_type: ValType::I32,
            mutable: true,
            shared: false,
        };
        globals.global(kind, &ConstExpr::i32_const(0));
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Result<()> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        if calls(&body)? {
            self.check().iter().for_each(|one| {
                function.instruction(one);
            });
        }
        let mut reader = body.get_operators_reader()?;
        while !reader.eof() {
            let is_loop = matches!(reader.clone().read()?, Operator::Loop { .. });
            function.instruction(&self.parse_instruction(&mut reader)?);
            if is_loop {
                self.check().iter().for_each(|one| {
                    function.instruction(one);
                });
            }
        }
        code.function(&function);
        Ok(())
    }
}

/// Whether a function calls others: one that does not, and has no loop, is over soon.
fn calls(body: &FunctionBody<'_>) -> Result<bool> {
    let mut reader = body.get_operators_reader()?;
    while !reader.eof() {
        let operator = reader.read()?;
        if matches!(
            operator,
            Operator::Call { .. }
                | Operator::CallIndirect { .. }
                | Operator::CallRef { .. }
                | Operator::ReturnCall { .. }
                | Operator::ReturnCallIndirect { .. }
                | Operator::ReturnCallRef { .. }
        ) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(module (import "a" "f" (func)) (global i32 (i32.const 7)) (func (export "e") loop call 0 br 0 end))`.
    const LOOPING: &[u8] = &[
        0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 102, 0, 0, 3, 2, 1, 0,
        6, 6, 1, 127, 0, 65, 7, 11, 7, 5, 1, 1, 101, 0, 1, 10, 11, 1, 9, 0, 3, 64, 16, 0, 12, 0,
        11, 11,
    ];

    fn count(bytes: &[u8]) -> (usize, usize) {
        let (mut checks, mut imports) = (0, 0);
        for payload in Parser::new(0).parse_all(bytes) {
            match payload.unwrap() {
                Payload::ImportSection(section) => imports = section.into_imports().count(),
                Payload::CodeSectionEntry(body) => {
                    let mut reader = body.get_operators_reader().unwrap();
                    while !reader.eof() {
                        let operator = reader.read().unwrap();
                        checks +=
                            usize::from(matches!(operator, Operator::Call { function_index: 1 }));
                    }
                }
                _ => {}
            }
        }
        (checks, imports)
    }

    #[test]
    fn loops_and_callers_ask() {
        let bytes = metered(LOOPING).unwrap().unwrap();
        wasmparser::validate(&bytes).unwrap();
        assert_eq!(count(LOOPING), (0, 1));
        assert_eq!(count(&bytes), (2, 2));
    }

    #[test]
    fn what_is_no_module_is_refused_and_what_has_no_code_stays() {
        assert!(metered(b"nothing").is_err());
        assert!(metered(&LOOPING[..8]).unwrap().is_none());
    }
}
