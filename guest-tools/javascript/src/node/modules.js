// require, for files, folders, JSON and the modules of Node; and the globals that are made when first used.
(() => {
  'use strict';
  const host = globalThis.__host;
  const made = new Map();
  const cache = Object.create(null);
  let main;
  const assign = (name, more) => Object.assign({}, builtin(name), more);
  const wait = (delay, value, options) => new Promise((resolve, reject) => {
    const signal = options?.signal;
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(resolve, delay, value);
    signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); });
  });
  async function* ticks(delay, value) { for (;;) yield await wait(delay, value); }
  const missing = (name, why) => () => { throw Object.assign(new Error(`${name} is not available here: ${why}`), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }); };
  // Those that need no file of their own.
  const SMALL = {
    'assert/strict': () => builtin('assert').strict,
    console: () => console, constants: () => builtin('os').constants.signals,
    'fs/promises': () => builtin('fs').promises, 'path/posix': () => builtin('path'),
    diagnostics_channel: () => ({ channel: () => ({ hasSubscribers: false, publish() {}, subscribe() {} }) }),
    https: () => assign('http', { globalAgent: builtin('http').globalAgent, ...builtin('http').secure }),
    module: () => Module, perf_hooks: () => ({ performance }), process: () => process,
    'readline/promises': () => builtin('readline').promises, 'stream/promises': () => builtin('stream').promises, 'stream/consumers': () => builtin('stream').consumers,
    sys: () => builtin('util'), timers: () => ({ setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises: builtin('timers/promises') }),
    'timers/promises': () => ({ setTimeout: wait, setImmediate: (value, options) => wait(0, value, options), setInterval: ticks, scheduler: { wait, yield: () => wait(0) } }),
    tty: () => ({ isatty: (fd) => host.isTerminal(fd) }), 'util/types': () => builtin('util').types,
    vm: () => ({ runInThisContext: (code) => globalThis.__compile(code, 'evalmachine.<anonymous>'), Script: class Script { constructor(code) { this.code = code; } runInThisContext() { return globalThis.__compile(this.code, 'evalmachine.<anonymous>'); } } }),
    worker_threads: () => ({ isMainThread: true, parentPort: null, workerData: null, threadId: 0, Worker: class Worker { constructor() { missing('worker_threads.Worker', 'a program of a sandbox has one thread; use child_process')(); } } }),
    cluster: () => ({ isPrimary: true, isMaster: true, isWorker: false, fork: missing('cluster.fork', 'use child_process.spawn') }),
  };
  const FILES = ['assert', 'async_hooks', 'buffer', 'child_process', 'crypto', 'events', 'fs', 'http', 'net', 'os', 'path', 'querystring', 'readline', 'stream', 'string_decoder', 'url', 'util', 'zlib'];
  const NAMES = [...FILES, ...Object.keys(SMALL)].sort();
  const plain = (name) => (name.startsWith('node:') ? name.slice(5) : name);
  const isBuiltin = (name) => NAMES.includes(plain(String(name)));
  const fromFile = (name, module) => {
    const make = globalThis.__builtin(name);
    if (!make) throw Object.assign(new Error(`No such built-in module: ${name}`), { code: 'ERR_UNKNOWN_BUILTIN_MODULE' });
    // It is there before it is whole, for those that need each other.
    made.set(name, module);
    make(module, module.exports, builtin, host);
  };
  const builtin = (given) => {
    const name = plain(given);
    const before = made.get(name);
    if (before) return before.exports;
    const module = { exports: {} };
    if (SMALL[name]) module.exports = SMALL[name]();
    else fromFile(name, module);
    made.set(name, module);
    return module.exports;
  };
  const resolver = () => builtin('_resolve');

  function Module(id, parent) { Object.assign(this, { id, filename: id, loaded: false, exports: {}, children: [], paths: [], parent }); }
  const compile = (module, text, file) => {
    const source = text.replace(/^\ufeff/, '').replace(/^#!/, '//');
    const body = globalThis.__compile(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, file);
    const folder = builtin('path').dirname(file);
    body.call(module.exports, module.exports, requireFrom(file, module), module, file, folder);
  };
  const extensions = {
    '.js': (module, file) => compile(module, builtin('fs').readFileSync(file, 'utf8'), file),
    '.json': (module, file) => {
      try { module.exports = JSON.parse(builtin('fs').readFileSync(file, 'utf8').replace(/^\ufeff/, '')); } catch (error) { error.message = `${file}: ${error.message}`; throw error; }
    },
    '.node': (module, file) => { throw Object.assign(new Error(`${file}: a native addon cannot be loaded in a sandbox`), { code: 'ERR_DLOPEN_FAILED' }); },
  };
  const load = (file, parent) => {
    if (cache[file]) return cache[file].exports;
    if (resolver().formatOf(file) === 'module') throw Object.assign(new Error(`require() of ES Module ${file} not supported.\nInstead change the require of ${file} to a dynamic import() which is available in all CommonJS modules.`), { code: 'ERR_REQUIRE_ESM' });
    const module = new Module(file, parent);
    if (parent === null) { module.id = '.'; main ??= module; }
    cache[file] = module;
    parent?.children?.push(module);
    const end = builtin('path').extname(file);
    try { (extensions[end] || extensions['.js'])(module, file); } catch (error) { delete cache[file]; throw error; }
    module.loaded = true;
    return module.exports;
  };
  const requireFrom = (file, parent) => {
    const find = (name) => resolver().resolve(name, file, ['node', 'require']);
    function require(name) {
      if (typeof name !== 'string') throw Object.assign(new TypeError(`The "id" argument must be of type string. Received ${globalThis.__inspect.received(name)}`), { code: 'ERR_INVALID_ARG_TYPE' });
      return isBuiltin(name) ? builtin(name) : load(find(name), parent);
    }
    require.resolve = (name, options) => (isBuiltin(name) ? name : options?.paths ? resolver().resolve(name, `${options.paths[0]}/_`, ['node', 'require']) : find(name));
    require.resolve.paths = (name) => resolver().paths(builtin('path').dirname(file));
    Object.assign(require, { cache, main, extensions });
    return require;
  };
  Module.prototype._compile = function (text, file) { compile(this, text, file); };
  Module.prototype.require = function (name) { return requireFrom(this.filename, this)(name); };
  Object.assign(Module, {
    Module, builtinModules: NAMES, isBuiltin, _cache: cache, _extensions: extensions, _load: (name, parent) => requireFrom(parent?.filename || `${host.cwd()}/_`, parent)(name),
    createRequire: (file) => requireFrom(String(file).startsWith('file:') ? builtin('url').fileURLToPath(file) : String(file)),
  });

  globalThis.__require = (name) => (name.startsWith('_') || isBuiltin(name) ? builtin(name) : load(name));
  const here = requireFrom(`${host.cwd()}/[eval]`);
  const set = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  set('require', here);
  set('module', new Module('[eval]'));
  set('exports', globalThis.module.exports);
  set('__filename', '[eval]');
  set('__dirname', '.');
  // Files have these as parameters, and ECMAScript modules have none of them.
  globalThis.__bare = () => { for (const name of ['require', 'module', 'exports', '__filename', '__dirname']) delete globalThis[name]; };
  globalThis.__exports = (name) => {
    const found = globalThis.__require(name);
    if (found === null || (typeof found !== 'object' && typeof found !== 'function')) return '';
    const usable = (key) => /^[A-Za-z_$][\w$]*$/.test(key) && key !== 'default' && key !== '__esModule';
    return Object.keys(found).filter(usable).join(',');
  };
  // Where an import leads: its format, and its file or name.
  globalThis.__importing = (specifier, from) => {
    if (isBuiltin(specifier)) return `builtin ${plain(specifier)}`;
    const file = resolver().resolve(specifier, from, ['node', 'import'], true);
    return `${resolver().formatOf(file)} ${file}`;
  };
  globalThis.__meta = (meta, path) => {
    meta.dirname = builtin('path').dirname(path);
    meta.filename = path;
    meta.url = builtin('url').pathToFileURL(path).href;
    meta.resolve = (name) => (isBuiltin(name) ? `node:${plain(name)}` : builtin('url').pathToFileURL(resolver().resolve(name, path, ['node', 'import'], true)).href);
  };
  // Runs a program; the path of one that is an ECMAScript module.
  globalThis.__main = (file, isModule) => {
    globalThis.__bare();
    const found = resolver().main(file);
    process.argv[1] = found;
    if (isModule || resolver().formatOf(found) === 'module') return found;
    load(found, null);
    return '';
  };
  // It stays a getter: the engine remembers what kind of property a name leads to.
  const lazily = (name, from, key = name) => {
    let value, isSet = false;
    Object.defineProperty(globalThis, name, {
      get() { if (!isSet) { value = builtin(from)[key]; isSet = true; } return value; },
      set(given) { value = given; isSet = true; }, configurable: true,
    });
  };
  for (const name of ['Buffer', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'Blob']) lazily(name, 'buffer');
  for (const name of ['URL', 'URLSearchParams']) lazily(name, 'url');
  for (const name of ['fetch', 'Headers', 'Request', 'Response', 'FormData']) lazily(name, 'fetch');
  for (const name of ['Event', 'EventTarget', 'AbortController', 'AbortSignal', 'DOMException', 'CustomEvent']) lazily(name, '_abort');
  lazily('structuredClone', '_clone');
  lazily('crypto', 'crypto', 'webcrypto');
  lazily('performance', '_globals');
  lazily('navigator', '_globals');
})();
