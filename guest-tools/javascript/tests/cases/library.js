// Small modules.
const qs = require('querystring'), util = require('util'), url = require('url'), path = require('path'), events = require('events'), assert = require('assert');
console.log(qs.parse('a=1&b=2&a=3&c=%20x+y&d'), qs.stringify({ a: [1, 2], b: 'x y', c: true, d: null }));
console.log(util.inspect({ a: { b: { c: { d: 1 } } } }), util.format('%s %d %i %j %O %%', 'a', 1.5, 2.7, { a: 1 }, [1]), util.isDeepStrictEqual({ a: [1] }, { a: [1] }));
console.log(util.types.isPromise(Promise.resolve()), util.types.isRegExp(/a/), util.stripVTControlCharacters('\x1b[31mred\x1b[0m'), util.inspect('it\'s'), util.inspect(new Map([['k', { v: 1 }]])));
util.promisify((a, done) => done(null, a + 1))(1).then((value) => console.log('promisified', value));
util.callbackify(async (a) => a * 2)(4, (error, value) => console.log('callbackified', error, value));
console.log(util.parseArgs({ args: ['-v', '--name=x', 'file', '--list', 'a', '--list', 'b'], options: { v: { type: 'boolean', short: 'v' }, name: { type: 'string' }, list: { type: 'string', multiple: true } }, allowPositionals: true }).values.list);
console.log(url.fileURLToPath('file:///a%20b'), url.pathToFileURL('/a b').href, new URL('../x?q=1#h', 'http://u:p@example.com:8080/a/b/c').href, url.parse('http://h:1/p?a=b').pathname);
const address = new URL('https://example.com/p?a=1&a=2');
address.searchParams.append('b', 'x y'); console.log(address.href, address.searchParams.getAll('a'), [...address.searchParams.keys()], address.origin);
console.log(path.resolve('/a', '../b'), path.relative('/a/b', '/a/c/d'), path.parse('/x/y.tar.gz'), path.format({ dir: '/d', base: 'f' }), path.extname('.rc'), path.normalize('/a//b/../c/.'));
function Old() { events.call(this); } util.inherits(Old, events);
const old = new Old(); old.once('x', (value) => console.log('once', value)); console.log(old.emit('x', 1), old.emit('x', 2), old.listenerCount('x'));
try { new events().emit('error', new Error('unheard')); } catch (error) { console.log(error.message); }
events.once(old, 'y').then(([value]) => console.log('events.once', value)); old.emit('y', 3);
for (const call of [() => assert.strictEqual(1, 2), () => assert.deepStrictEqual({ a: 1 }, { a: 1 }), () => assert(0, 'zero'), () => assert.throws(() => { throw new TypeError('t'); }, TypeError), () => assert.rejects]) try { call(); console.log('held'); } catch (error) { console.log(error.code, error.name); }
const controller = new AbortController(); controller.signal.addEventListener('abort', () => console.log('aborted', controller.signal.reason.name)); controller.abort();
class Mine extends EventTarget {} const target = new Mine(); target.addEventListener('e', (event) => console.log(event.type, event.detail)); target.dispatchEvent(new CustomEvent('e', { detail: 5 }));
try { require('worker_threads'); new (require('worker_threads').Worker)('x.js', { eval: true }).on('error', () => {}).terminate?.(); console.log('worker'); } catch (error) { console.log('worker'); }
console.log(new Error('m', { cause: 'c' }).cause, typeof new Error('s').stack, new AggregateError([1], 'all').errors, [1, 2, 3].at(-1), Object.groupBy === undefined ? '' : '');
console.log(util.inspect({ toString() { return 'x'; }, [util.inspect.custom]: () => 'custom' }), `${[1, [2, 3]]}`, [..."a\u{1F600}"].length, 'a-b-c'.replaceAll('-', '+'), 'x'.padStart(3, 'ab'));
