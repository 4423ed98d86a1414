// util.
const { inspect, format } = globalThis.__inspect;
const equal = require('_equal');
const CUSTOM = Symbol.for('nodejs.util.promisify.custom');
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const AsyncFunction = (async () => {}).constructor, Generator = (function* () {}).constructor, AsyncGenerator = (async function* () {}).constructor;
const types = {
  isAnyArrayBuffer: (value) => value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer), isArrayBuffer: (value) => value instanceof ArrayBuffer,
  isArrayBufferView: ArrayBuffer.isView, isAsyncFunction: (value) => value instanceof AsyncFunction || value instanceof AsyncGenerator, isGeneratorFunction: (value) => value instanceof Generator || value instanceof AsyncGenerator,
  isDate: (value) => value instanceof Date, isMap: (value) => value instanceof Map, isNativeError: (value) => value instanceof Error, isPromise: (value) => value instanceof Promise,
  isProxy: () => false, isRegExp: (value) => value instanceof RegExp, isSet: (value) => value instanceof Set, isTypedArray: (value) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value) => value instanceof Uint8Array, isWeakMap: (value) => value instanceof WeakMap, isWeakSet: (value) => value instanceof WeakSet,
  isBoxedPrimitive: (value) => typeof value === 'object' && value !== null && ['String', 'Number', 'Boolean', 'Symbol', 'BigInt'].includes(tag(value)),
};
const promisify = (call) => {
  if (call[CUSTOM]) return call[CUSTOM];
  return Object.defineProperty(function (...rest) {
    return new Promise((resolve, reject) => call.call(this, ...rest, (error, value) => (error ? reject(error) : resolve(value))));
  }, 'name', { value: call.name });
};
promisify.custom = CUSTOM;
const deprecated = new Set();
const STYLES = { bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], white: [37, 39], gray: [90, 39], grey: [90, 39] };
const parseArgs = ({ args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict } = {}) => {
  const values = Object.create(null), positionals = [];
  const bad = (code, message) => { throw Object.assign(new TypeError(message), { code }); };
  const store = (name, value) => { if (options[name]?.multiple) (values[name] ??= []).push(value); else values[name] = value; };
  const byShort = (letter) => Object.keys(options).find((name) => options[name].short === letter);
  const rest = [];
  for (const arg of args) rest.push(arg);
  while (rest.length) {
    const arg = rest.shift();
    if (arg === '--') { positionals.push(...rest.splice(0)); break; }
    let name, value;
    if (/^--./.test(arg)) [, name, value] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg);
    else if (/^-[^-]/.test(arg)) {
      name = byShort(arg[1]) ?? arg[1];
      if (arg.length > 2) { if (options[name]?.type === 'string') value = arg.slice(2); else rest.unshift(`-${arg.slice(2)}`); }
    } else {
      if (!allowPositionals) bad('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', `Unexpected argument '${arg}'. This command does not take positional arguments`);
      positionals.push(arg);
      continue;
    }
    if (strict && !options[name]) bad('ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${arg.split('=')[0]}'`);
    if (options[name]?.type === 'string') {
      value ??= rest.shift();
      if (value === undefined) bad('ERR_PARSE_ARGS_INVALID_OPTION_VALUE', `Option '--${name} <value>' argument missing`);
      store(name, value);
    } else store(name, value ?? true);
  }
  if (!allowPositionals && strict && positionals.length) bad('ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', `Unexpected argument '${positionals[0]}'. This command does not take positional arguments`);
  for (const [name, option] of Object.entries(options)) if (option.default !== undefined && !(name in values)) values[name] = option.default;
  return { values, positionals };
};
module.exports = {
  inspect, format, types, promisify, parseArgs, isDeepStrictEqual: (left, right) => equal(left, right, true),
  callbackify: (call) => (...rest) => { const done = rest.pop(); call(...rest).then((value) => process.nextTick(done, null, value), (error) => process.nextTick(done, error)); },
  inherits(child, parent) { Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true }); Object.setPrototypeOf(child.prototype, parent.prototype); },
  deprecate: (call, message, code) => function (...rest) {
    if (!deprecated.has(code ?? message)) { deprecated.add(code ?? message); process.emitWarning(message, 'DeprecationWarning'); }
    return call.apply(this, rest);
  },
  isArray: Array.isArray, debuglog: () => Object.assign(() => {}, { enabled: false }),
  formatWithOptions: (options, ...values) => format(...values), toUSVString: (text) => String(text).toWellFormed?.() ?? String(text),
  styleText: (names, text) => [names].flat().reduceRight((inner, name) => `\x1b[${STYLES[name]?.[0] ?? 0}m${inner}\x1b[${STYLES[name]?.[1] ?? 0}m`, text),
  stripVTControlCharacters: (text) => text.replace(/\x1b\[[0-9;]*[A-Za-z]/g, ''),
  get TextEncoder() { return TextEncoder; }, get TextDecoder() { return TextDecoder; },
};
