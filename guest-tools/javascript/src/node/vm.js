// vm: scripts with globals of their own.
const contexts = new WeakMap();
const codeOf = (code) => {
  if (typeof code !== 'string') throw Object.assign(new TypeError(`The "code" argument must be of type string. Received ${globalThis.__inspect.received(code)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  return code;
};
const nameOf = (options) => (typeof options === 'string' ? options : options?.filename) ?? 'evalmachine.<anonymous>';
const isContext = (object) => {
  if (object === null || typeof object !== 'object') throw Object.assign(new TypeError(`The "object" argument must be of type object. Received ${globalThis.__inspect.received(object)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  return contexts.has(object);
};
const createContext = (object = {}) => {
  if (!isContext(object)) contexts.set(object, host.createRealm());
  return object;
};
const runInContext = (code, object, options) => {
  if (object === null || typeof object !== 'object' || !contexts.has(object)) throw Object.assign(new TypeError(`The "contextifiedObject" argument must be an vm.Context. Received ${globalThis.__inspect.received(object)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  return host.runInRealm(contexts.get(object), codeOf(code), nameOf(options), object);
};
const runInNewContext = (code, object, options) => runInContext(code, createContext(object ?? {}), options);
const runInThisContext = (code, options) => globalThis.__compile(codeOf(code), nameOf(options));
class Script {
  #code; #options;
  constructor(code, options) {
    this.#code = codeOf(code);
    this.#options = options;
    // What is no program is refused at once.
    host.parse(this.#code, nameOf(options));
  }
  runInThisContext() { return runInThisContext(this.#code, this.#options); }
  runInContext(object) { return runInContext(this.#code, object, this.#options); }
  runInNewContext(object) { return runInNewContext(this.#code, object, this.#options); }
  createCachedData() { return Buffer.alloc(0); }
}
const compileFunction = (code, parameters = [], options) => {
  const text = `(function (${parameters.join(',')}) {${codeOf(code)}\n})`;
  return options?.parsingContext ? runInContext(text, options.parsingContext, options) : runInThisContext(text, options);
};
module.exports = { Script, createContext, isContext, runInContext, runInNewContext, runInThisContext, compileFunction, createScript: (code, options) => new Script(code, options), measureMemory: async () => ({}), constants: {} };
