// process.
(() => {
  'use strict';
  const host = globalThis.__host;
  const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGABRT: 6, SIGKILL: 9, SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15, SIGCHLD: 17, SIGCONT: 18, SIGSTOP: 19, SIGTSTP: 20 };
  const listeners = new Map();
  let known, started = false, hinted = false;
  const identity = () => (known ??= host.identify());
  const mine = (name) => listeners.get(name) || [];
  const process = {
    argv: ['/usr/bin/node'],
    argv0: 'node', execPath: '/usr/bin/node', execArgv: [], title: 'node',
    env: {},
    platform: 'linux', arch: 'wasm32', version: 'v20.19.0', versions: { node: '20.19.0', boa: '0.22' }, release: { name: 'node' }, features: {}, config: { variables: {} },
    exitCode: undefined,
    exit(status) {
      if (status !== undefined) process.exitCode = status;
      if (!started) { started = true; process.emit('exit', Number(process.exitCode ?? 0)); }
      host.exit(Number(process.exitCode ?? 0));
    },
    abort() { host.exit(134); },
    cwd: () => host.cwd(),
    chdir(path) {
      try { host.chdir(path); } catch (error) {
        throw Object.assign(new Error(`${error.message}: no such file or directory, chdir ${host.cwd()} -> '${path}'`), { code: error.message, syscall: 'chdir' });
      }
    },
    kill(pid, signal = 'SIGTERM') {
      const number = typeof signal === 'number' ? signal : SIGNALS[signal];
      if (number === undefined) throw Object.assign(new TypeError(`Unknown signal: ${signal}`), { code: 'ERR_UNKNOWN_SIGNAL' });
      try { host.kill(pid, number); } catch (error) { throw Object.assign(new Error(`kill ${error.message}`), { code: error.message, syscall: 'kill' }); }
      return true;
    },
    umask: () => 0o22, getuid: () => identity().uid, geteuid: () => identity().uid, getgid: () => identity().gid, getegid: () => identity().gid, getgroups: () => [identity().gid],
    uptime: () => host.now() / 1000, memoryUsage: Object.assign(() => ({ rss: host.memory(), heapTotal: host.memory(), heapUsed: host.memory(), external: 0, arrayBuffers: 0 }), { rss: () => host.memory() }),
    cpuUsage: () => ({ user: Math.round(host.now() * 1000), system: 0 }),
    hrtime: Object.assign((from) => {
      const now = host.now();
      const time = [Math.floor(now / 1000), Math.floor((now % 1000) * 1e6)];
      if (!from) return time;
      const [seconds, nanos] = [time[0] - from[0], time[1] - from[1]];
      return nanos < 0 ? [seconds - 1, nanos + 1e9] : [seconds, nanos];
    }, { bigint: () => BigInt(Math.floor(host.now() * 1e6)) }),
    nextTick: globalThis.__nextTick,
    on(name, listener) { listeners.set(name, [...mine(name), listener]); return process; },
    prependListener(name, listener) { listeners.set(name, [listener, ...mine(name)]); return process; },
    once(name, listener) {
      const wrapped = (...rest) => { process.off(name, wrapped); listener(...rest); };
      wrapped.listener = listener;
      return process.on(name, wrapped);
    },
    off(name, listener) { listeners.set(name, mine(name).filter((other) => other !== listener && other.listener !== listener)); return process; },
    removeAllListeners(name) { if (name === undefined) listeners.clear(); else listeners.delete(name); return process; },
    // By index: a program may have changed how lists are gone through.
    emit(name, ...rest) { const called = mine(name); for (let at = 0; at < called.length; at++) called[at].apply(process, rest); return called.length > 0; },
    listeners: (name) => [...mine(name)], listenerCount: (name) => mine(name).length, eventNames: () => [...listeners.keys()], setMaxListeners: () => process,
    emitWarning(warning, type, code) {
      const given = type !== null && typeof type === 'object' ? type : { type, code };
      const error = warning instanceof Error ? warning : Object.assign(new Error(warning), { name: given.type || 'Warning' });
      if (given.code !== undefined && error.code === undefined) error.code = given.code;
      process.nextTick(() => {
        if (process.emit('warning', error)) return;
        host.writeDescriptor(2, `(node:${process.pid}) ${error.code ? `[${error.code}] ` : ''}${error.name}: ${error.message}${given.detail ? `\n${given.detail}` : ''}\n`);
        if (!hinted) host.writeDescriptor(2, `(Use \`node --trace-${error.name === 'DeprecationWarning' ? 'deprecation' : 'warnings'} ...\` to show where the warning was created)\n`);
        hinted = true;
      });
    },
    binding() { throw new Error('No such module'); },
  };
  Object.defineProperty(process.emit, 'name', { value: 'emit' });
  process.addListener = process.on;
  process.removeListener = process.off;
  const lazy = (name, get) => {
    let value, isSet = false;
    Object.defineProperty(process, name, {
      get() { if (!isSet) { value = get(); isSet = true; } return value; },
      set(given) { value = given; isSet = true; }, configurable: true, enumerable: true,
    });
  };
  let exitCode;
  Object.defineProperty(process, 'exitCode', {
    get: () => exitCode,
    set(given) {
      const isWhole = Number.isInteger(typeof given === 'string' && given !== '' ? Number(given) : given);
      if (given !== undefined && given !== null && !isWhole) throw Object.assign(new TypeError(`The "code" argument must be of type number. Received ${globalThis.__inspect.received(given)}`), { code: 'ERR_INVALID_ARG_TYPE' });
      exitCode = given ?? undefined;
    }, configurable: true, enumerable: true,
  });
  lazy('pid', () => identity().pid);
  lazy('ppid', () => identity().parent);
  for (const name of ['stdin', 'stdout', 'stderr']) lazy(name, () => globalThis.__require('_stdio')[name]);
  Object.defineProperty(process, Symbol.toStringTag, { value: 'process', configurable: true });
  globalThis.process = process;
  globalThis.global = globalThis;
  globalThis.__signals = SIGNALS;
  globalThis.__called = (script, given, environment) => {
    if (script) process.argv.push(script);
    if (given) process.argv.push(...given.split('\0'));
    const variables = Object.fromEntries((environment ? environment.split('\0') : []).map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }));
    process.env = new Proxy(variables, {
      set(target, name, value) {
        if (typeof name === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
        target[name] = `${value}`;
        if (name === 'TZ') host.setZone(target.TZ);
        return true;
      },
      defineProperty(target, name, given) {
        if (!('value' in given)) throw Object.assign(new TypeError("'process.env' does not accept an accessor(getter/setter) descriptor"), { code: 'ERR_INVALID_OBJECT_DEFINE_PROPERTY' });
        return Reflect.defineProperty(target, name, { ...given, value: `${given.value}` });
      },
      deleteProperty(target, name) {
        delete target[name];
        if (name === 'TZ') host.setZone();
        return true;
      },
    });
  };

  // The program has nothing to do any more: whether what listens to that gave it something.
  globalThis.__exiting = () => { process.emit('beforeExit', process.exitCode ?? 0); };
  // Nothing can go on that the module waits for.
  globalThis.__unsettled = () => { process.exitCode ??= 13; };
  // Given a status, the program is over because of an error.
  globalThis.__exit = (status = process.exitCode) => {
    process.exitCode = status;
    if (!started) { started = true; process.emit('exit', Number(process.exitCode ?? 0)); }
    return Number(process.exitCode ?? 0);
  };
  // Whether somebody takes care of an error, or of the rejection that it comes from.
  globalThis.__caught = (value, promise) => {
    if (promise && mine('unhandledRejection').length) return process.emit('unhandledRejection', value, promise);
    return process.emit('uncaughtException', value, promise ? 'unhandledRejection' : 'uncaughtException');
  };
  let code;
  globalThis.__code = (text) => { code = text; };
  // The line that a stack begins at, and a mark below it.
  const source = (stack) => {
    const [, path, line, column] = /\n    at (?:.* \()?((?:file:\/\/)?\/.*|\[eval.*):(\d+):(\d+)\)?(?:\n|$)/.exec(stack) || [];
    if (path === undefined) return '';
    let text = code;
    try { if (!path.startsWith('[')) text = globalThis.__require('fs').readFileSync(path.replace(/^file:\/\//, ''), 'utf8'); } catch { text = undefined; }
    const shown = text?.split('\n')[line - 1];
    if (shown === undefined || shown.length > 500) return `${path}:${line}\n`;
    // The statement, where what it throws is made in it.
    const at = /\bthrow\s+$/.exec(shown.slice(0, column - 1))?.index ?? column - 1;
    return `${path}:${line}\n${shown}\n${' '.repeat(Math.min(at, shown.length))}^\n`;
  };
  globalThis.__report = (value, frames) => {
    process.exitCode = 1;
    const { inspect, stackOf } = globalThis.__inspect;
    const isError = value instanceof Error;
    const stack = isError ? String(value.stack) : stackOf(value, frames);
    const end = `\n\nNode.js ${process.version}`;
    // A text that is no program says itself where it ends to be one.
    if (isError && /^\/.*:\d+\n/.test(stack)) return `${stack}${end}`;
    const where = isError ? `${source(stack)}\n` : source(stack);
    if (isError) return `${where}${inspect(value)}${end}`;
    if (value !== null && (typeof value === 'object' || typeof value === 'function')) return `${where}${inspect(value)}${end}`;
    return `${where}${typeof value === 'string' ? value : inspect(value)}\n(Use \`node --trace-uncaught ...\` to show where the exception was thrown)${end}`;
  };
})();
