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
    const aborted = () => Object.assign(new Error('The operation was aborted', { cause: signal.reason }), { name: 'AbortError', code: 'ABORT_ERR' });
    if (signal?.aborted) return reject(aborted());
    const timer = setTimeout(resolve, delay, value);
    if (options?.ref === false) timer.unref();
    signal?.addEventListener('abort', () => { clearTimeout(timer); reject(aborted()); });
  });
  async function* ticks(delay, value) { for (;;) yield await wait(delay, value); }
  const missing = (name, why) => () => { throw Object.assign(new Error(`${name} is not available here: ${why}`), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }); };
  // Those that need no file of their own.
  const SMALL = {
    'assert/strict': () => builtin('assert').strict,
    console: () => console, constants: () => builtin('os').constants.signals,
    'fs/promises': () => builtin('fs').promises, 'path/posix': () => builtin('path').posix, 'path/win32': () => builtin('path').win32,
    'dns/promises': () => builtin('dns').promises,
    diagnostics_channel: () => ({ channel: () => ({ hasSubscribers: false, publish() {}, subscribe() {} }) }),
    https: () => assign('http', { globalAgent: builtin('http').globalAgent, ...builtin('http').secure }),
    module: () => Module, perf_hooks: () => ({ performance, PerformanceObserver, PerformanceEntry, constants: {}, monitorEventLoopDelay: () => ({ enable() {}, disable() {}, min: 0, max: 0, mean: 0, stddev: 0, percentile: () => 0 }) }), process: () => process,
    'readline/promises': () => builtin('readline').promises, 'stream/promises': () => builtin('stream').promises, 'stream/consumers': () => builtin('stream').consumers,
    'stream/web': () => builtin('_webstreams'), domain: () => ({ create: missing('domain.create', 'it is of the past'), active: null }), inspector: () => ({ url: () => undefined, open() {}, close() {}, waitForDebugger() {}, console, Session: class Session { constructor() { missing('inspector.Session', 'the engine is Boa')(); } } }),
    trace_events: () => ({ createTracing: () => ({ enable() {}, disable() {}, enabled: false, categories: '' }), getEnabledCategories: () => undefined }),
    dgram: () => ({ createSocket: missing('dgram.createSocket', 'a sandbox has no datagrams'), Socket: class Socket {} }), http2: () => ({ connect: missing('http2.connect', 'use http, fetch or curl'), createServer: missing('http2.createServer', 'use http'), constants: {} }),
    repl: () => ({ start: missing('repl.start', 'use node -e, or a context') }), wasi: () => ({ WASI: class WASI { constructor() { missing('wasi.WASI', 'there is no WebAssembly within a sandbox')(); } } }),
    sys: () => builtin('util'), timers: () => ({ setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises: builtin('timers/promises') }),
    'node:test': () => builtin('_test'),
    'timers/promises': () => ({ setTimeout: wait, setImmediate: (value, options) => wait(0, value, options), setInterval: ticks, scheduler: { wait, yield: () => wait(0) } }),
    tty: () => ({ isatty: (fd) => host.isTerminal(fd) }), 'util/types': () => builtin('util').types,
    worker_threads: () => ({ isMainThread: true, parentPort: null, workerData: null, threadId: 0, resourceLimits: {}, SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'), setEnvironmentData() {}, getEnvironmentData() {}, markAsUntransferable() {}, ...builtin('_messages'), Worker: class Worker { constructor() { missing('worker_threads.Worker', 'a program of a sandbox has one thread; use child_process')(); } } }),
    cluster: () => ({ isPrimary: true, isMaster: true, isWorker: false, fork: missing('cluster.fork', 'use child_process.spawn') }),
  };
  const FILES = ['assert', 'async_hooks', 'buffer', 'child_process', 'crypto', 'dns', 'events', 'fs', 'http', 'net', 'os', 'path', 'punycode', 'querystring', 'readline', 'stream', 'string_decoder', 'tls', 'url', 'util', 'v8', 'vm', 'zlib'];
  const NAMES = [...FILES, ...Object.keys(SMALL)].sort();
  // This one has no name without its scheme.
  const plain = (name) => (name.startsWith('node:') && name !== 'node:test' ? name.slice(5) : name);
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

  for (const name of ['setTimeout', 'setImmediate']) Object.defineProperty(globalThis[name], Symbol.for('nodejs.util.promisify.custom'), { get: () => builtin('timers/promises')[name], configurable: true });
  const { wrapped } = globalThis.__inspect;
  const HEAD = '(function (exports, require, module, __filename, __dirname) {';
  wrapped.head = HEAD.length;
  // A text that is no program, with its line and the mark below it.
  const placed = (error, source, file) => {
    const [, line, column] = / at line (\d+), col (\d+)$/.exec(error.message) || [];
    if (line === undefined) return error;
    error.message = error.message.replace(/ at line \d+, col \d+$/, '');
    const text = source.split('\n')[line - 1] ?? '', at = Math.max(column - (line === '1' ? HEAD.length : 0), 1);
    error.stack = `${file}:${line}\n${text}\n${' '.repeat(Math.min(at - 1, text.length))}^\n\nSyntaxError: ${error.message}`;
    return error;
  };

  function Module(id, parent) { Object.assign(this, { id, filename: id, loaded: false, exports: {}, children: [], paths: [], parent }); }
  const compile = (module, text, file) => {
    const source = text.replace(/^\ufeff/, '').replace(/^#!/, '//');
    wrapped.files.add(file);
    let body;
    try { body = globalThis.__compile(`${HEAD}${source}\n})`, file); } catch (error) { throw placed(error, source, file); }
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
  const REFUSED = {
    ERR_REQUIRE_ASYNC_MODULE: () => 'require() cannot be used on an ESM graph with top-level await. Use import() instead. To see where the top-level await comes from, use --experimental-print-required-tla.',
    ERR_REQUIRE_CYCLE_MODULE: (file) => `Cannot require() ES Module ${file} in a cycle.`,
  };
  const fromModule = (file) => {
    let found;
    try { found = host.requireModule(file); } catch (error) {
      const why = error instanceof Error && REFUSED[error.message];
      throw why ? Object.assign(new Error(why(file)), { code: error.message }) : error;
    }
    if ('module.exports' in found) return found['module.exports'];
    // What was compiled to CommonJS looks at this before it takes the default.
    if (!('default' in found) || '__esModule' in found) return found;
    const made = Object.create(null, { __esModule: { value: true, enumerable: true } });
    for (const name of Object.keys(found)) Object.defineProperty(made, name, { get: () => found[name], enumerable: true });
    return Object.preventExtensions(Object.defineProperty(made, Symbol.toStringTag, { value: 'Module' }));
  };
  const load = (file, parent) => {
    if (cache[file]) return cache[file].exports;
    const module = new Module(file, parent);
    if (resolver().formatOf(file) === 'module') {
      module.exports = fromModule(file);
      module.loaded = true;
      cache[file] = module;
      return module.exports;
    }
    if (parent === null) { module.id = '.'; main ??= module; }
    cache[file] = module;
    parent?.children?.push(module);
    const end = builtin('path').extname(file);
    const run = () => (extensions[end] || extensions['.js'])(module, file);
    // What is no error loses its place where it is thrown again.
    if (parent === null) run();
    else try { run(); } catch (error) { delete cache[file]; throw error; }
    module.loaded = true;
    return module.exports;
  };
  const requireFrom = (file, parent) => {
    const find = (name) => resolver().resolve(name, file, ['node', 'require']);
    function require(name) {
      if (name === '') throw Object.assign(new TypeError("The argument 'id' must be a non-empty string. Received ''"), { code: 'ERR_INVALID_ARG_VALUE' });
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
  // What the program has of how it was called.
  globalThis.__begin = (script, given, environment) => {
    globalThis.__called(script, given, environment);
    const set = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
    set('require', requireFrom(`${host.cwd()}/[eval]`));
    set('module', new Module('[eval]'));
    set('exports', globalThis.module.exports);
    set('__filename', '[eval]');
    set('__dirname', '.');
  };
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
  globalThis.__evaluated = (path) => host.evaluated(path);
  globalThis.__meta = (meta, path) => {
    meta.dirname = builtin('path').dirname(path);
    meta.filename = path;
    meta.url = builtin('url').pathToFileURL(path).href;
    meta.resolve = (name) => (isBuiltin(name) ? `node:${plain(name).replace('node:', '')}` : builtin('url').pathToFileURL(resolver().resolve(name, path, ['node', 'import'], true)).href);
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
  globalThis.__tests = (pattern, only) => builtin('_test_files').run(process.argv.slice(1), { pattern, only });
  const LISTED = ['global', 'clearImmediate', 'setImmediate', 'clearInterval', 'clearTimeout', 'setInterval', 'setTimeout', 'queueMicrotask', 'structuredClone', 'atob', 'btoa', 'performance', 'fetch', 'crypto'];
  // It stays a getter: the engine remembers what kind of property a name leads to.
  const lazily = (name, from, key = name) => {
    let value, isSet = false;
    Object.defineProperty(globalThis, name, {
      get() { if (!isSet) { value = key === null ? builtin(from) : builtin(from)[key]; isSet = true; } return value; },
      set(given) { value = given; isSet = true; }, configurable: true, enumerable: LISTED.includes(name),
    });
  };
  for (const name of ['Buffer', 'TextEncoder', 'TextDecoder', 'atob', 'btoa', 'Blob']) lazily(name, 'buffer');
  for (const name of ['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamDefaultController', 'WritableStream', 'WritableStreamDefaultWriter', 'WritableStreamDefaultController', 'TransformStream', 'TransformStreamDefaultController', 'TextEncoderStream', 'TextDecoderStream', 'CountQueuingStrategy', 'ByteLengthQueuingStrategy', 'CompressionStream', 'DecompressionStream']) lazily(name, '_webstreams');
  for (const name of ['MessageChannel', 'MessagePort', 'MessageEvent', 'BroadcastChannel']) lazily(name, '_messages');
  for (const name of ['PerformanceObserver', 'PerformanceEntry']) lazily(name, '_globals');
  for (const name of ['URL', 'URLSearchParams']) lazily(name, 'url');
  for (const name of ['fetch', 'Headers', 'Request', 'Response', 'FormData']) lazily(name, 'fetch');
  for (const name of ['Event', 'EventTarget', 'AbortController', 'AbortSignal', 'DOMException', 'CustomEvent']) lazily(name, '_abort');
  lazily('Intl', '_locale');
  const locale = () => builtin('_locale');
  const localized = (prototype, methods) => {
    for (const [name, value] of Object.entries(methods)) Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  };
  // Each refuses what the language's own refuses; what is given by name is no parameter that counts.
  const thisNumber = Number.prototype.valueOf, thisBigInt = BigInt.prototype.valueOf, thisTime = Date.prototype.getTime;
  const { concat, toUpperCase, toLowerCase } = String.prototype, Typed = Object.getPrototypeOf(Uint8Array.prototype), { values } = Typed;
  const { call } = Function.prototype, of = (method) => call.bind(method);
  const [numberOf, bigIntOf, timeOf, textOf, upper, lower, valuesOf] = [thisNumber, thisBigInt, thisTime, concat, toUpperCase, toLowerCase, values].map(of);
  localized(Number.prototype, { toLocaleString(locales = undefined, options = undefined) { return locale().number(numberOf(this), locales, options); } });
  localized(BigInt.prototype, { toLocaleString(locales = undefined, options = undefined) { return locale().number(bigIntOf(this), locales, options); } });
  const dated = (date, locales, options, usual) => (Number.isNaN(timeOf(date)) ? 'Invalid Date' : locale().date(date, locales, options, usual));
  localized(Date.prototype, {
    toLocaleString(locales = undefined, options = undefined) { return dated(this, locales, options, 'any'); },
    toLocaleDateString(locales = undefined, options = undefined) { return dated(this, locales, options, 'day'); },
    toLocaleTimeString(locales = undefined, options = undefined) { return dated(this, locales, options, 'time'); },
  });
  const items = (list, length, locales, options) => {
    let text = '';
    for (let at = 0; at < length; at++) {
      const item = list[at];
      text += `${at ? ',' : ''}${item === null || item === undefined ? '' : item.toLocaleString(locales, options)}`;
    }
    return text;
  };
  localized(Array.prototype, {
    toLocaleString(locales = undefined, options = undefined) {
      if (this === null || this === undefined) throw new TypeError('Array.prototype.toLocaleString called on null or undefined');
      const list = Object(this);
      return items(list, Math.min(Math.max(Math.trunc(Number(list.length)) || 0, 0), Number.MAX_SAFE_INTEGER), locales, options);
    },
  });
  const lengthOf = of(Object.getOwnPropertyDescriptor(Typed, 'length').get);
  localized(Typed, { toLocaleString(locales = undefined, options = undefined) { valuesOf(this); return items(this, lengthOf(this), locales, options); } });
  localized(String.prototype, {
    localeCompare(that, locales = undefined, options = undefined) { return locale().compare(textOf(this), textOf('', that), locales, options); },
    toLocaleUpperCase() { return upper(this); },
    toLocaleLowerCase() { return lower(this); },
  });
  // In a text of the command line, Node's modules are there by their names.
  globalThis.__named = () => { for (const name of NAMES) if (/^[a-z_0-9]+$/.test(name) && !(name in globalThis)) lazily(name, name, null); };
  lazily('structuredClone', '_clone');
  lazily('crypto', 'crypto', 'webcrypto');
  lazily('performance', '_globals');
  lazily('navigator', '_globals');
  // What this program keeps there for itself is no more in the list of the globals than in Node's.
  for (const name of Object.keys(globalThis)) if (!LISTED.includes(name)) Object.defineProperty(globalThis, name, { enumerable: false });
})();
