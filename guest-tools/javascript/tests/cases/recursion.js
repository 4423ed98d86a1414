// Calls as deep as Node's own, and what ends those that are deeper.
let count = 0;
function endless() { count++; endless(); }
try { endless(); } catch (error) { console.log(error instanceof RangeError, error.message, count > 5000); }
const sum = (number) => (number ? number + sum(number - 1) : 0);
console.log(sum(8000));
const ackermann = (m, n) => (m === 0 ? n + 1 : n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)));
console.log(ackermann(2, 300));
class Tree { constructor(depth) { this.next = depth ? new Tree(depth - 1) : null; } depth() { return this.next ? 1 + this.next.depth() : 0; } }
console.log(new Tree(2000).depth());
// Those that go through functions of the language end in the same way.
const ends = (name, call) => {
  try { call(); console.log(name, 'returns'); } catch (error) { console.log(name, error instanceof RangeError, error.message); }
};
ends('map', function again() { [1].map(again); });
ends('sort', function again() { [2, 1].sort(again); });
ends('replace', function again() { 'a'.replace(/a/, again); });
ends('getter', () => { const object = { get x() { return this.x; } }; object.x; });
ends('setter', () => { const object = { set x(value) { this.x = value; } }; object.x = 1; });
ends('toJSON', () => { const object = { toJSON() { return JSON.stringify(this); } }; JSON.stringify(object); });
ends('reviver', function again() { JSON.parse('[1]', again); });
ends('proxy', () => { const proxy = new Proxy({}, { get(target, name) { return proxy[name]; } }); proxy.x; });
ends('constructor', () => { class A { constructor() { new A(); } } new A(); });
ends('field', () => { class A { x = new A(); } new A(); });
ends('apply', function again() { again.apply(null, []); });
ends('bind', function again() { again.bind()()(); });
ends('Reflect', function again() { Reflect.apply(again, null, []); });
ends('generator', function again() { function* g() { yield* g(); } g().next(); });
ends('spread', () => { const object = { *[Symbol.iterator]() { yield* [...this]; } }; [...object]; });
ends('hasInstance', () => { class B { static [Symbol.hasInstance](x) { return x instanceof B; } } 1 instanceof B; });
ends('forEach of a map', function again() { new Map([[1, 1]]).forEach(again); });
ends('eval', () => { globalThis.again = () => eval('again()'); again(); });
ends('super', () => { class A { m() { return this.m(); } } class B extends A { m() { return super.m(); } } new B().m(); });
ends('emit', () => { const emitter = new (require('events'))(); emitter.on('x', () => emitter.emit('x')); emitter.emit('x'); });
// It is an error like others: what caught it goes on, again and again.
let caught = 0;
for (let at = 0; at < 5; at++) try { endless(); } catch { caught++; }
console.log(caught);
const walk = (node) => 1 + (node.children?.reduce((total, child) => total + walk(child), 0) ?? 0);
let tree = {};
for (let at = 0; at < 60; at++) tree = { children: [tree] };
console.log(walk(tree));
