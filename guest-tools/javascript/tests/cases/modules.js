// require of ECMAScript modules.
const fs = require('fs');
const path = require('path');
fs.mkdirSync('esm/node_modules/only', { recursive: true });
process.chdir('esm');
const write = (name, text) => fs.writeFileSync(name, text);
write('a.mjs', "import { b } from './b.mjs'; import { join } from 'path'; import c from './c.cjs'; export const x = 1, sum = b + c.c; export default function f() { return join('f', 'g'); }\n");
write('b.mjs', 'export const b = 2; globalThis.evaluated = (globalThis.evaluated ?? 0) + 1;\n');
write('c.cjs', 'module.exports = { c: 40 };\n');
write('own.mjs', "const made = { own: true }; export { made as 'module.exports' };\n");
write('late.mjs', 'await 1; export const late = 1;\n');
write('bad.mjs', "throw new TypeError('bad module');\n");
write('syntax.mjs', 'export const = 1;\n');
write('cycle.mjs', "import { createRequire } from 'module'; const require = createRequire(import.meta.url); export let failed; try { require('./cycle.mjs'); } catch (error) { failed = error.code; }\n");
write('node_modules/only/package.json', '{"name": "only", "type": "module", "exports": "./index.js"}');
write('node_modules/only/index.js', "export const only = 'esm'; export default class Only {}\n");
const here = (name) => path.join(process.cwd(), name);
const a = require(here('a.mjs'));
console.log(a.x, a.sum, a.default(), Object.keys(a), a[Symbol.toStringTag]);
console.log(require(here('a.mjs')) === a, require(here('b.mjs')).b, globalThis.evaluated);
console.log(require(here('own.mjs')));
const own = require('module').createRequire(here('x.js'));
console.log(own('only').only, typeof own('only').default);
for (const name of ['late.mjs', 'bad.mjs', 'bad.mjs', 'syntax.mjs', 'missing.mjs']) try { console.log(require(here(name))); } catch (error) { console.log(name, error.name, error.code, error.name === 'TypeError' ? error.message : ''); }
const order = [];
Promise.resolve().then(() => order.push('job'));
order.push(require(here('c.cjs')).c);
import('./esm/a.mjs').catch(() => import(here('a.mjs'))).then(async (module) => {
  console.log(module === a || module.x === a.x, globalThis.evaluated, order.join());
  console.log((await import(here('cycle.mjs'))).failed, require(here('cycle.mjs')).failed);
});
