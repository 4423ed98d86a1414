// util.
const { inspect, format, formatWith } = globalThis.__inspect;
const equal = require('_equal');
const CUSTOM = Symbol.for('nodejs.util.promisify.custom');
const tag = (value) => Object.prototype.toString.call(value).slice(8, -1);
const AsyncFunction = (async () => {}).constructor, Generator = (function* () {}).constructor, AsyncGenerator = (async function* () {}).constructor;
const types = {
  isAnyArrayBuffer: (value) => value instanceof ArrayBuffer || (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer), isArrayBuffer: (value) => value instanceof ArrayBuffer,
  isArrayBufferView: ArrayBuffer.isView, isAsyncFunction: (value) => value instanceof AsyncFunction || value instanceof AsyncGenerator, isGeneratorFunction: (value) => value instanceof Generator || value instanceof AsyncGenerator,
  isDate: (value) => value instanceof Date, isMap: (value) => value instanceof Map, isNativeError: (value) => value instanceof Error, isPromise: (value) => value instanceof Promise,
  isProxy: (value) => host.isProxy(value), isRegExp: (value) => value instanceof RegExp, isSet: (value) => value instanceof Set, isTypedArray: (value) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value) => value instanceof Uint8Array, isWeakMap: (value) => value instanceof WeakMap, isWeakSet: (value) => value instanceof WeakSet,
  isGeneratorObject: (value) => tag(value) === 'Generator' || tag(value) === 'AsyncGenerator', isMapIterator: (value) => tag(value) === 'Map Iterator', isSetIterator: (value) => tag(value) === 'Set Iterator', isArgumentsObject: (value) => tag(value) === 'Arguments', isModuleNamespaceObject: (value) => tag(value) === 'Module' && Object.getPrototypeOf(value) === null,
  isDataView: (value) => value instanceof DataView, isSharedArrayBuffer: (value) => typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer, isExternal: () => false, isCryptoKey: () => false, isKeyObject: () => false,
  isStringObject: (value) => value instanceof String, isNumberObject: (value) => value instanceof Number, isBooleanObject: (value) => value instanceof Boolean, isBigIntObject: (value) => value instanceof BigInt, isSymbolObject: (value) => value instanceof Symbol,
  isBoxedPrimitive: (value) => typeof value === 'object' && value !== null && ['String', 'Number', 'Boolean', 'Symbol', 'BigInt'].includes(tag(value)),
};
for (const View of [Int8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) types[`is${View.name}`] = (value) => value instanceof View;
const promisify = (call) => {
  if (call[CUSTOM]) return call[CUSTOM];
  return Object.defineProperty(function (...rest) {
    return new Promise((resolve, reject) => call.call(this, ...rest, (error, value) => (error ? reject(error) : resolve(value))));
  }, 'name', { value: call.name });
};
promisify.custom = CUSTOM;
const deprecated = new Set();
const SYSTEM = { EPERM: 1, ENOENT: 2, ESRCH: 3, EINTR: 4, EIO: 5, ENXIO: 6, E2BIG: 7, EBADF: 9, EAGAIN: 11, ENOMEM: 12, EACCES: 13, EFAULT: 14, EBUSY: 16, EEXIST: 17, EXDEV: 18, ENODEV: 19, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, ENFILE: 23, EMFILE: 24, ENOTTY: 25, EFBIG: 27, ENOSPC: 28, ESPIPE: 29, EROFS: 30, EMLINK: 31, EPIPE: 32, ERANGE: 34, ENAMETOOLONG: 36, ENOSYS: 38, ENOTEMPTY: 39, ELOOP: 40, EPROTO: 71, EADDRINUSE: 98, EADDRNOTAVAIL: 99, ENETUNREACH: 101, ECONNABORTED: 103, ECONNRESET: 104, ENOBUFS: 105, EISCONN: 106, ENOTCONN: 107, ETIMEDOUT: 110, ECONNREFUSED: 111, EHOSTUNREACH: 113, EALREADY: 114, ECANCELED: 125 };
const systemName = (number) => Object.keys(SYSTEM).find((name) => SYSTEM[name] === -number);
const debuglog = (section) => {
  const isOn = new RegExp(`^(${(process.env.NODE_DEBUG ?? '').replace(/[|\\{}()[\]^$+?.]/g, '\\$&').replace(/\*/g, '.*').replace(/,/g, '|')})$`, 'i').test(section) && !!process.env.NODE_DEBUG;
  return Object.assign((...values) => { if (isOn) process.stderr.write(`${section.toUpperCase()} ${process.pid}: ${format(...values)}\n`); }, { enabled: isOn });
};
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
  isArray: Array.isArray, debuglog, debug: debuglog, getSystemErrorName: systemName, getSystemErrorMap: () => new Map(Object.entries(SYSTEM).map(([name, number]) => [-number, [name, name]])), aborted: (signal) => new Promise((resolve) => { if (signal.aborted) resolve(); else signal.addEventListener('abort', () => resolve(), { once: true }); }),
  isBoolean: (value) => typeof value === 'boolean', isString: (value) => typeof value === 'string', isNumber: (value) => typeof value === 'number', isFunction: (value) => typeof value === 'function', isObject: (value) => value !== null && typeof value === 'object', isRegExp: types.isRegExp, isDate: types.isDate, isError: types.isNativeError, isNull: (value) => value === null, isUndefined: (value) => value === undefined,
  formatWithOptions: (options, ...values) => formatWith(options, ...values), toUSVString: (text) => String(text).toWellFormed?.() ?? String(text),
  styleText: (names, text, { validateStream = true, stream = process.stdout } = {}) => (validateStream && !stream.isTTY ? text : [names].flat().reduceRight((inner, name) => `\x1b[${STYLES[name]?.[0] ?? 0}m${inner}\x1b[${STYLES[name]?.[1] ?? 0}m`, text)),
  stripVTControlCharacters: (text) => text.replace(/\x1b\[[0-9;]*[A-Za-z]/g, ''),
  get TextEncoder() { return TextEncoder; }, get TextDecoder() { return TextDecoder; },
};
