// What values look like.
const values = [[1, 2, 3], Array.from({ length: 30 }, (_, at) => at * 3), Array.from({ length: 120 }, (_, at) => `s${at}`), { a: { b: { c: {} } } }, { a: { b: { c: { d: 1 } } } }, [[[[1]]]], [[[1]]], { a: [{ b: [1] }] },
  ['ENOENT', 'spawnSync no-such-command', 'spawnSync no-such-command ENOENT'], { name: 'a long name that goes on', other: 'another long value here', third: 1 }, { name: 'a long name that goes on', other: 'another long value', t: [1, 2, 3] },
  new Map([['a', { b: 1 }], [{ k: 1 }, [1]]]), new Set(['x', { y: 1 }]), [undefined, null, -0, 1n, Symbol('s'), 'it\'s', "q\"'"], { 'a-b': 1, [Symbol('k')]: 2, f() {}, g: class A {}, h: class extends Array {}, i: async () => {}, j: function* named() {} },
  new Date(0), /a/gi, [, 1, , ,], Object.create(null), Object.create({ a: 1 }), new (class Foo { constructor() { this.x = 1; } })(), [1.5, 'a', { b: 2 }], { get a() { return 1; }, set b(value) {}, get c() { return 1; }, set c(value) {} },
  new Uint8Array(3), new Float64Array([1.5, 2]), 'multi\nline', ['multi\nline'], [['a', 'b'], ['c', 'd']], [{ id: 1, name: 'one' }, { id: 2, name: 'two' }, { id: 3, name: 'three' }], Object.assign(() => {}, { a: 1 }), [new Map(), new Set(), {}, []], new Number(3), new String('abc'), Object(1n), [true, false], { a: 1, b: 'x', c: [1, 2, [3, [4, [5]]]] }, Array.from({ length: 8 }, (_, at) => ({ at })), ['aaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'c', 'd', 'e', 'f', 'g'], [new Error('x').message], { e: 1e21, i: Infinity, n: NaN }];
for (const value of values) console.log(value);
const circular = { name: 'c', list: [] }; circular.self = circular; circular.list.push(circular); console.log(circular);
console.log('%s|%s|%s', [1, [2, [3]]], { a: { b: {} } }, null, 'rest', { a: 1 });
console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]); console.table([[1, 2], [3, 4]]);
