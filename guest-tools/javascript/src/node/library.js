// assert, events, os, path, readline, url and util.
(() => {
  'use strict';
  const host = globalThis.__host;
  const { inspect, format } = globalThis.__inspect;
  const normalizeParts = (path, rooted) => {
    const out = [];
    for (const part of path.split('/')) {
      if (part === '' || part === '.') continue;
      if (part !== '..') out.push(part);
      else if (out.length && out[out.length - 1] !== '..') out.pop();
      else if (!rooted) out.push('..');
    }
    return out.join('/');
  };
  const path = {
    sep: '/', delimiter: ':',
    isAbsolute: (path) => path.startsWith('/'),
    normalize(path) {
      if (path === '') return '.';
      const rooted = path.startsWith('/');
      let out = normalizeParts(path, rooted);
      if (!out && !rooted) out = '.';
      if (out && path.endsWith('/')) out += '/';
      return (rooted ? '/' : '') + out;
    },
    join: (...parts) => { const joined = parts.filter((part) => part !== '').join('/'); return joined ? path.normalize(joined) : '.'; },
    resolve(...parts) {
      let out = '';
      for (const part of [host.cwd(), ...parts]) out = part.startsWith('/') ? part : part ? `${out}/${part}` : out;
      return '/' + normalizeParts(out, true);
    },
    dirname(path) {
      const trimmed = path.replace(/(.)\/+$/, '$1');
      const at = trimmed.lastIndexOf('/');
      return at < 0 ? '.' : at === 0 ? '/' : trimmed.slice(0, at).replace(/(.)\/+$/, '$1');
    },
    basename(path, suffix) {
      const name = path.replace(/\/+$/, '').split('/').pop();
      return suffix && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
    },
    extname(path_) { const name = path.basename(path_); const at = name.lastIndexOf('.'); return at <= 0 ? '' : name.slice(at); },
    relative(from, to) {
      const [left, right] = [path.resolve(from), path.resolve(to)].map((path) => path.split('/').filter(Boolean));
      let same = 0;
      while (same < left.length && same < right.length && left[same] === right[same]) same++;
      return [...left.slice(same).map(() => '..'), ...right.slice(same)].join('/');
    },
    parse(text) {
      const [base, ext] = [path.basename(text), path.extname(text)];
      const dir = text.includes('/') ? path.dirname(text) : '';
      return { root: text.startsWith('/') ? '/' : '', dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
    },
    format: ({ dir, root, base, name = '', ext = '' }) => { const file = base ?? name + ext; return dir ? (dir === root ? dir + file : `${dir}/${file}`) : (root || '') + file; },
  };
  path.posix = path;

  class EventEmitter {
    #listeners = new Map();
    on(name, listener) { this.#listeners.set(name, [...this.listeners(name), listener]); return this; }
    prependListener(name, listener) { this.#listeners.set(name, [listener, ...this.listeners(name)]); return this; }
    once(name, listener) {
      const wrapped = (...rest) => { this.off(name, wrapped); return listener.apply(this, rest); };
      wrapped.listener = listener;
      return this.on(name, wrapped);
    }
    off(name, listener) { this.#listeners.set(name, this.listeners(name).filter((other) => other !== listener && other.listener !== listener)); return this; }
    emit(name, ...rest) {
      const listeners = this.listeners(name);
      if (name === 'error' && listeners.length === 0) throw rest[0] instanceof Error ? rest[0] : new Error(`Unhandled error. (${inspect(rest[0])})`);
      listeners.forEach((listener) => listener.apply(this, rest));
      return listeners.length > 0;
    }
    listeners(name) { return this.#listeners.get(name) || []; }
    listenerCount(name) { return this.listeners(name).length; }
    eventNames() { return [...this.#listeners.keys()].filter((name) => this.listenerCount(name)); }
    removeAllListeners(name) { if (name === undefined) this.#listeners.clear(); else this.#listeners.delete(name); return this; }
    setMaxListeners() { return this; }
  }
  EventEmitter.prototype.addListener = EventEmitter.prototype.on;
  EventEmitter.prototype.removeListener = EventEmitter.prototype.off;
  EventEmitter.EventEmitter = EventEmitter;
  EventEmitter.once = (emitter, name) => new Promise((resolve, reject) => { emitter.once(name, (...rest) => resolve(rest)); if (name !== 'error') emitter.once('error', reject); });

  const equal = (left, right, strict, seen = []) => {
    if (strict ? Object.is(left, right) : left == right || (left !== left && right !== right)) return true;
    if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
    if (strict && Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    if (seen.some(([one, two]) => one === left && two === right)) return true;
    seen = [...seen, [left, right]];
    if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
    if (left instanceof RegExp && right instanceof RegExp) return String(left) === String(right);
    if (left instanceof Error && (left.message !== right.message || left.name !== right.name)) return false;
    if (left instanceof Set) return right instanceof Set && left.size === right.size && [...left].every((item) => right.has(item) || [...right].some((other) => equal(item, other, strict, seen)));
    if (left instanceof Map) return right instanceof Map && left.size === right.size && [...left].every(([key, item]) => right.has(key) && equal(item, right.get(key), strict, seen));
    const keys = Object.keys(left);
    return keys.length === Object.keys(right).length && keys.every((key) => Object.prototype.hasOwnProperty.call(right, key) && equal(left[key], right[key], strict, seen));
  };
  class AssertionError extends Error {
    constructor({ message, actual, expected, operator }) {
      super(message);
      Object.assign(this, { code: 'ERR_ASSERTION', actual, expected, operator });
      Object.defineProperty(this, 'name', { value: 'AssertionError', configurable: true });
    }
  }
  const check = (holds, actual, expected, operator, message) => {
    if (holds) return;
    if (message instanceof Error) throw message;
    throw new AssertionError({ message: message ?? `Expected ${inspect(actual)} ${operator} ${inspect(expected)}`, actual, expected, operator });
  };
  const matches = (error, expected) => {
    if (expected === undefined || typeof expected === 'string') return true;
    if (expected instanceof RegExp) return expected.test(String(error));
    if (typeof expected === 'function') return expected.prototype !== undefined && error instanceof expected ? true : Error.isPrototypeOf(expected) ? false : expected(error) === true;
    return Object.keys(expected).every((key) => (expected[key] instanceof RegExp ? expected[key].test(error[key]) : equal(error[key], expected[key], true)));
  };
  const assert = (value, message) => check(value, value, true, '==', message ?? (value === undefined ? 'No value argument passed to `assert.ok()`' : 'The expression evaluated to a falsy value'));
  Object.assign(assert, {
    AssertionError, ok: assert,
    equal: (left, right, message) => check(left == right, left, right, '==', message),
    notEqual: (left, right, message) => check(left != right, left, right, '!=', message),
    strictEqual: (left, right, message) => check(Object.is(left, right), left, right, 'strictEqual', message ?? `Expected values to be strictly equal:\n\n${inspect(left)} !== ${inspect(right)}\n`),
    notStrictEqual: (left, right, message) => check(!Object.is(left, right), left, right, 'notStrictEqual', message),
    deepEqual: (left, right, message) => check(equal(left, right, false), left, right, 'deepEqual', message),
    notDeepEqual: (left, right, message) => check(!equal(left, right, false), left, right, 'notDeepEqual', message),
    deepStrictEqual: (left, right, message) => check(equal(left, right, true), left, right, 'deepStrictEqual', message),
    notDeepStrictEqual: (left, right, message) => check(!equal(left, right, true), left, right, 'notDeepStrictEqual', message),
    match: (text, pattern, message) => check(pattern.test(text), text, pattern, 'match', message),
    doesNotMatch: (text, pattern, message) => check(!pattern.test(text), text, pattern, 'doesNotMatch', message),
    fail: (message = 'Failed') => check(false, undefined, undefined, 'fail', message),
    throws(call, expected, message) {
      try { call(); } catch (error) { if (matches(error, expected)) return; throw error; }
      check(false, undefined, expected, 'throws', message ?? 'Missing expected exception.');
    },
    doesNotThrow: (call) => { call(); },
    rejects: async (promise, expected) => {
      try { await (typeof promise === 'function' ? promise() : promise); } catch (error) { if (matches(error, expected)) return; throw error; }
      check(false, undefined, expected, 'rejects', 'Missing expected rejection.');
    },
  });
  assert.strict = assert;

  const util = {
    inspect, format, isDeepStrictEqual: (left, right) => equal(left, right, true),
    promisify: (call) => (...rest) => new Promise((resolve, reject) => call(...rest, (error, value) => (error ? reject(error) : resolve(value)))),
    callbackify: (call) => (...rest) => { const done = rest.pop(); call(...rest).then((value) => done(null, value), done); },
    inherits: (child, parent) => { Object.setPrototypeOf(child.prototype, parent.prototype); Object.setPrototypeOf(child, parent); },
    deprecate: (call) => call, isArray: Array.isArray,
    types: { isDate: (value) => value instanceof Date, isRegExp: (value) => value instanceof RegExp, isPromise: (value) => value instanceof Promise, isMap: (value) => value instanceof Map, isSet: (value) => value instanceof Set },
    TextEncoder, TextDecoder, stripVTControlCharacters: (text) => text.replace(/\x1b\[[0-9;]*m/g, ''),
  };
  inspect.custom = Symbol.for('nodejs.util.inspect.custom');

  const os = {
    EOL: '\n', platform: () => 'linux', type: () => 'Linux', arch: () => 'wasm32', release: () => '0', hostname: () => process.env.HOSTNAME || 'sandbox',
    homedir: () => process.env.HOME || '/', tmpdir: () => process.env.TMPDIR || '/tmp', cpus: () => [{ model: 'wasm', speed: 0, times: {} }],
    totalmem: () => 0, freemem: () => 0, uptime: () => host.now() / 1000, loadavg: () => [0, 0, 0], endianness: () => 'LE', networkInterfaces: () => ({}),
    userInfo: () => ({ username: process.env.USER || 'user', uid: 1000, gid: 1000, homedir: os.homedir(), shell: '/bin/bash' }),
  };

  class URLSearchParams {
    #pairs = [];
    constructor(init = '') {
      const decode = (text) => decodeURIComponent(text.replace(/\+/g, ' '));
      if (typeof init === 'string') {
        for (const part of init.replace(/^\?/, '').split('&').filter(Boolean)) {
          const at = part.indexOf('=');
          this.#pairs.push(at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]);
        }
      } else this.#pairs = [...(init[Symbol.iterator] ? init : Object.entries(init))].map(([name, value]) => [String(name), String(value)]);
    }
    get(name) { const pair = this.#pairs.find((pair) => pair[0] === name); return pair ? pair[1] : null; }
    getAll(name) { return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]); }
    has(name) { return this.get(name) !== null; }
    append(name, value) { this.#pairs.push([name, String(value)]); }
    delete(name) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== name); }
    set(name, value) { const pair = this.#pairs.find((pair) => pair[0] === name); if (pair) { this.delete(name); pair[1] = String(value); this.#pairs.push(pair); } else this.append(name, value); }
    sort() { this.#pairs.sort((left, right) => (left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0)); }
    forEach(call) { this.#pairs.forEach(([name, value]) => call(value, name, this)); }
    keys() { return this.#pairs.map((pair) => pair[0])[Symbol.iterator](); }
    values() { return this.#pairs.map((pair) => pair[1])[Symbol.iterator](); }
    entries() { return this.#pairs[Symbol.iterator](); }
    [Symbol.iterator]() { return this.entries(); }
    get size() { return this.#pairs.length; }
    toString() { const encode = (text) => encodeURIComponent(text).replace(/%20/g, '+').replace(/[!'()~]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase()); return this.#pairs.map((pair) => pair.map(encode).join('=')).join('&'); }
  }
  class URL {
    constructor(text, base) {
      let found = /^([a-z][a-z0-9+.-]*:)(?:\/\/(?:([^:@/?#]*)(?::([^@/?#]*))?@)?([^:/?#]*)(?::(\d+))?)?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(String(text).trim());
      if (!found && base !== undefined) {
        const from = new URL(base);
        const parts = /^(\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(String(text));
        if (parts[1]) return new URL(from.protocol + text);
        const target = parts[2] === '' ? from.pathname : parts[2].startsWith('/') ? parts[2] : from.pathname.replace(/[^/]*$/, '') + parts[2];
        return new URL(from.origin + target + (parts[3] ?? (parts[2] === '' ? from.search : '')) + (parts[4] ?? ''));
      }
      if (!found) throw Object.assign(new TypeError('Invalid URL'), { code: 'ERR_INVALID_URL', input: String(text) });
      const [, protocol, username = '', password = '', hostname = '', port = '', pathname, search = '', hash = ''] = found;
      const standard = { 'http:': '80', 'https:': '443', 'ftp:': '21' }[protocol.toLowerCase()];
      Object.assign(this, { protocol: protocol.toLowerCase(), username, password, hostname: hostname.toLowerCase(), port: port === standard ? '' : port, hash: hash === '#' ? '' : hash });
      this.pathname = standard || protocol === 'file:' ? path.normalize(pathname || '/').replace(/ /g, '%20') : pathname;
      this.searchParams = new URLSearchParams(search);
      this.search = search === '?' ? '' : search;
    }
    get host() { return this.hostname + (this.port ? `:${this.port}` : ''); }
    get origin() { return `${this.protocol}//${this.host}`; }
    get href() {
      const query = this.searchParams.toString() === new URLSearchParams(this.search).toString() ? this.search : `?${this.searchParams}`;
      const user = this.username ? `${this.username}${this.password ? `:${this.password}` : ''}@` : '';
      return `${this.protocol}//${user}${this.host}${this.pathname}${query}${this.hash}`;
    }
    toString() { return this.href; }
    toJSON() { return this.href; }
    static canParse(text, base) { try { new URL(text, base); return true; } catch { return false; } }
  }
  globalThis.URL ||= URL;
  globalThis.URLSearchParams ||= URLSearchParams;

  const readline = {
    createInterface({ input }) {
      const events = new EventEmitter();
      const lines = async function* () {
        let rest = '';
        for await (const chunk of input) rest += chunk;
        if (rest) yield* rest.replace(/\r?\n$/, '').split(/\r?\n/);
      };
      let started = false;
      const on = events.on.bind(events);
      events.on = (name, listener) => {
        if (name === 'line' && !started) {
          started = true;
          (async () => { for await (const line of lines()) events.emit('line', line); events.emit('close'); })();
        }
        return on(name, listener);
      };
      return Object.assign(events, {
        [Symbol.asyncIterator]: lines, close() { if (!started) events.emit('close'); }, setPrompt() {}, prompt() {},
        question(text, done) { process.stdout.write(text); lines().next().then(({ value }) => done(value ?? '')); },
      });
    },
  };
  const crypto = {
    randomBytes: (count) => Buffer.from(host.random(count)),
    randomInt: (low, high) => { if (high === undefined) [low, high] = [0, low]; return low + Math.floor(Math.random() * (high - low)); },
    randomUUID() {
      const bytes = host.random(16);
      bytes[6] = (bytes[6] & 15) | 64;
      bytes[8] = (bytes[8] & 63) | 128;
      return Buffer.from(bytes).toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    getRandomValues: (array) => { array.set(host.random(array.length)); return array; },
  };
  globalThis.crypto ||= { randomUUID: crypto.randomUUID, getRandomValues: crypto.getRandomValues };
  const wait = (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value));
  globalThis.__library = {
    assert, 'assert/strict': assert, buffer: { Buffer }, console, crypto, events: EventEmitter, fs: globalThis.__fs, 'fs/promises': globalThis.__fs.promises, os, path, 'path/posix': path,
    perf_hooks: { performance }, process, readline, url: { URL, URLSearchParams, fileURLToPath: (url) => decodeURIComponent(new globalThis.URL(String(url)).pathname), pathToFileURL: (file) => new globalThis.URL(`file://${path.resolve(file)}`) },
    timers: { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate }, 'timers/promises': { setTimeout: wait, setImmediate: (value) => wait(0, value) }, util,
  };
})();
