// Where an error comes from.
const fs = require('fs');
const { spawnSync } = require('child_process');
const lines = (error) => error.stack.split('\n').slice(0, 2).join('|').replace(/:\d+\)?$/, '');
function make(message) { return new Error(message); }
class Own extends Error {
  constructor(message) { super(message); this.name = 'Own'; Error.captureStackTrace(this, Own); }
}
console.log(/stack\.js|program\.js/.test(make('one').stack), make('one').stack.split('\n')[0]);
console.log(make('at a line').stack.split('\n')[1].match(/:(\d+):\d+\)?$/)[1]);
console.log(new Own('own').stack.split('\n')[0], new Own('own').stack.split('\n')[1].match(/:(\d+):\d+\)?$/)[1]);
console.log(/ \{\n  \[cause\]: TypeError: b\n {6}at /.test(require('util').inspect(new Error('a', { cause: new TypeError('b') }))));
console.log(Object.keys(make('x')), 'stack' in make('x'));
const run = (text, name = 'broken.js') => {
  fs.writeFileSync(name, text);
  const { status, stderr } = spawnSync(process.execPath, [name], { encoding: 'utf8' });
  const shown = stderr.split('\n').filter((line) => !/node:internal|^Node\.js|^\s*\^+$/.test(line)).map((line) => line.replaceAll(process.cwd(), '.').replace(/(:\d+):\d+\)?(?: \{)?$/, '$1').replace(/^(SyntaxError): .*/, '$1').replace(/Object\.<anonymous> \(/, ''));
  console.log(status, shown.join('|').replace(/\|+$/, ''));
};
run('function foo() {\n  throw new Error("boom");\n}\nfunction bar() {\n  foo();\n}\nbar();\n');
run('const a = 1;\nlet b = ;\n');
run('class MyError extends Error {\n  constructor(m) { super(m); this.name = "MyError"; this.code = 3; }\n}\nthrow new MyError("own");\n');
run('export const a = 1;\nfunction f() {\n  throw new TypeError("in a module");\n}\nf();\n', 'broken.mjs');
