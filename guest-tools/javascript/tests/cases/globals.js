// What the language says of its own functions, and what is listed of globals.
console.log(Object.keys(globalThis).sort().join(' '));
console.log(Object.keys(globalThis).filter((name) => name in Object.prototype));
const listed = [];
for (const name in globalThis) listed.push(name);
console.log(listed.length);
for (const name of ['process', 'console', 'global', 'Buffer', 'fetch', 'setTimeout', 'URL', 'Intl']) {
  const { enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, enumerable, configurable);
}
const Typed = Object.getPrototypeOf(Uint8Array.prototype);
const METHODS = [[Number, 'toLocaleString'], [BigInt, 'toLocaleString'], [Date, 'toLocaleString'], [Date, 'toLocaleDateString'], [Date, 'toLocaleTimeString'], [Array, 'toLocaleString'], [Typed.constructor, 'toLocaleString'], [String, 'localeCompare'], [String, 'toLocaleUpperCase'], [String, 'toLocaleLowerCase']];
for (const [{ name, prototype }, method] of METHODS) {
  const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(prototype, method);
  const refused = [undefined, null, Symbol('s'), 'x', 1, 1n, {}].map((given) => { try { value.call(given); return '-'; } catch (error) { return error.constructor.name[0]; } });
  console.log(name, method, value.name, value.length, writable, enumerable, configurable, 'prototype' in value, refused.join(''));
}
console.log([1234.5, null, , 'a'].toLocaleString(), Array.prototype.toLocaleString.call({ length: 2, 0: 1, 1: 2 }), new Float64Array([1.5, 2000]).toLocaleString());
console.log('a'.localeCompare(), 'undefined'.localeCompare(), new String('b').localeCompare({ toString: () => 'a' }));
console.log(Object.keys(Error));
// What ends the program does not go through lists as the program has it.
Array.prototype[Symbol.iterator] = () => { throw new Error('changed'); };
