// process, console and timers.
(() => {
  'use strict';
  const host = globalThis.__host;
  const { inspect, format, error } = globalThis.__inspect;
  const listeners = {};
  const stream = (fd) => ({
    fd, isTTY: false, columns: 80, writable: true,
    write(chunk, encoding, done) {
      host.writeDescriptor(fd, typeof chunk === 'string' ? chunk : new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      const callback = typeof encoding === 'function' ? encoding : done;
      if (callback) queueMicrotask(callback);
      return true;
    },
    end(chunk) { if (chunk !== undefined) this.write(chunk); },
    on() { return this; }, once() { return this; }, emit() { return false; },
  });
  const process = {
    argv: ['/usr/bin/node', ...(host.script ? [host.script] : []), ...(host.arguments ? host.arguments.split('\0') : [])],
    argv0: 'node', execPath: '/usr/bin/node', execArgv: [], title: 'node', pid: 1, ppid: 0,
    env: Object.fromEntries((host.environment ? host.environment.split('\0') : []).map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    })),
    platform: 'linux', arch: 'wasm32', version: 'v20.0.0', versions: { node: '20.0.0', boa: '0.21' }, release: { name: 'node' },
    exitCode: undefined,
    stdout: stream(1), stderr: stream(2),
    exit(status) {
      if (status !== undefined) process.exitCode = status;
      process.emit('exit', process.exitCode ?? 0);
      host.exit(process.exitCode ?? 0);
    },
    cwd: () => host.cwd(), chdir: (path) => host.chdir(path), umask: () => 0o22, getuid: () => 1000, getgid: () => 1000,
    uptime: () => host.now() / 1000, memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0 }),
    hrtime: Object.assign((from) => {
      const now = host.now();
      const time = [Math.floor(now / 1000), Math.floor((now % 1000) * 1e6)];
      if (!from) return time;
      const [seconds, nanos] = [time[0] - from[0], time[1] - from[1]];
      return nanos < 0 ? [seconds - 1, nanos + 1e9] : [seconds, nanos];
    }, { bigint: () => BigInt(Math.floor(host.now() * 1e6)) }),
    nextTick: (callback, ...rest) => queueMicrotask(() => callback(...rest)),
    on(name, listener) { (listeners[name] ||= []).push(listener); return process; },
    once(name, listener) { return process.on(name, listener); },
    off(name, listener) { listeners[name] = (listeners[name] || []).filter((other) => other !== listener); return process; },
    emit(name, ...rest) { (listeners[name] || []).forEach((listener) => listener(...rest)); return !!listeners[name]; },
    emitWarning: (warning) => host.writeDescriptor(2, `(node) Warning: ${warning.message || warning}\n`),
  };
  process.addListener = process.on;
  process.removeListener = process.off;
  const input = { fd: 0, isTTY: false, ended: false, handlers: {}, encoding: null };
  const chunk = (bytes) => (input.encoding ? host.decode(bytes) : Buffer.from(bytes));
  Object.assign(input, {
    setEncoding(encoding) { input.encoding = encoding; return input; },
    on(name, listener) {
      (input.handlers[name] ||= []).push(listener);
      if ((name === 'data' || name === 'readable' || name === 'end') && !input.started) {
        input.started = true;
        setTimeout(() => {
          const bytes = host.readDescriptor(0);
          input.rest = bytes.length ? chunk(bytes) : null;
          if (bytes.length) input.emit('data', input.rest);
          input.emit('readable');
          input.rest = null;
          input.emit('end');
          input.emit('close');
        }, 0);
      }
      return input;
    },
    emit(name, ...rest) { (input.handlers[name] || []).forEach((listener) => listener(...rest)); },
    read() { const rest = input.rest; input.rest = null; return rest ?? null; },
    resume() { return input; }, pause() { return input; }, unref() { return input; }, ref() { return input; },
    pipe(target) { input.on('data', (data) => target.write(data)); return target; },
    async *[Symbol.asyncIterator]() { const bytes = host.readDescriptor(0); if (bytes.length) yield chunk(bytes); },
  });
  input.once = input.addListener = input.on;
  process.stdin = input;
  globalThis.process = process;
  globalThis.global = globalThis;

  const counts = {}, started = {};
  let indent = '';
  const print = (fd, text) => host.writeDescriptor(fd, (indent ? indent + text.replace(/\n/g, `\n${indent}`) : text) + '\n');
  const table = (rows, wanted) => {
    if (rows === null || typeof rows !== 'object') return print(1, format(rows));
    const names = [], values = [];
    let plain = false;
    const lines = Object.keys(rows).map((index) => {
      const row = rows[index];
      const cells = {};
      if (row !== null && typeof row === 'object') {
        for (const name of wanted || Object.keys(row)) {
          if (!names.includes(name)) names.push(name);
          if (name in row) cells[name] = inspect(row[name], { depth: 0 });
        }
      } else plain = true, values[index] = inspect(row);
      return [index, cells];
    });
    const header = ['(index)', ...names, ...(plain ? ['Values'] : [])];
    const body = lines.map(([index, cells]) => [index, ...names.map((name) => cells[name] ?? ''), ...(plain ? [values[index] ?? ''] : [])]);
    const widths = header.map((name, at) => Math.max(...[header, ...body].map((row) => row[at].length)) + 2);
    const line = (row) => `│${row.map((cell, at) => ` ${cell}`.padEnd(widths[at])).join('│')}│`;
    const rule = (left, middle, right) => left + widths.map((width) => '─'.repeat(width)).join(middle) + right;
    print(1, [rule('┌', '┬', '┐'), line(header), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘')].join('\n'));
  };
  globalThis.console = {
    log: (...values) => print(1, format(...values)), info: (...values) => print(1, format(...values)),
    debug: (...values) => print(1, format(...values)), error: (...values) => print(2, format(...values)),
    warn: (...values) => print(2, format(...values)), trace: (...values) => print(2, `Trace: ${format(...values)}`),
    dir: (value, options) => print(1, inspect(value, options)), table,
    assert: (condition, ...values) => condition || print(2, values.length ? `Assertion failed: ${format(...values)}` : 'Assertion failed'),
    count: (label = 'default') => print(1, `${label}: ${(counts[label] = (counts[label] || 0) + 1)}`),
    countReset: (label = 'default') => { counts[label] = 0; },
    group: (...values) => { if (values.length) print(1, format(...values)); indent += '  '; },
    groupEnd: () => { indent = indent.slice(2); },
    time: (label = 'default') => { started[label] = host.now(); },
    timeLog: (label = 'default') => print(1, `${label}: ${(host.now() - started[label]).toFixed(3)}ms`),
    timeEnd: (label = 'default') => { print(1, `${label}: ${(host.now() - started[label]).toFixed(3)}ms`); delete started[label]; },
  };
  console.groupCollapsed = console.group;

  let next = 1;
  const timers = new Map();
  class Timeout {
    constructor(id) { this.id = id; }
    ref() { return this; }
    unref() { const timer = timers.get(this.id); if (timer) timer.free = true; return this; }
    hasRef() { return !timers.get(this.id)?.free; }
    [Symbol.toPrimitive]() { return this.id; }
  }
  const add = (callback, delay, repeat, rest) => {
    if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function.');
    const wait = Math.max(1, Number(delay) || 1);
    timers.set(next, { callback, rest, due: host.now() + wait, every: repeat ? wait : 0 });
    return new Timeout(next++);
  };
  const clear = (timer) => { timers.delete(timer instanceof Timeout ? timer.id : Number(timer)); };
  globalThis.setTimeout = (callback, delay, ...rest) => add(callback, delay, false, rest);
  globalThis.setInterval = (callback, delay, ...rest) => add(callback, delay, true, rest);
  globalThis.setImmediate = (callback, ...rest) => {
    const timer = add(callback, 0, false, rest);
    timers.get(timer.id).due = 0;
    return timer;
  };
  globalThis.clearTimeout = globalThis.clearInterval = globalThis.clearImmediate = clear;
  globalThis.queueMicrotask ||= (callback) => { Promise.resolve().then(callback); };
  globalThis.structuredClone ||= (value) => JSON.parse(JSON.stringify(value));
  globalThis.performance ||= { now: () => host.now(), timeOrigin: Date.now() };
  globalThis.__tick = () => {
    let first = null;
    for (const [id, timer] of timers) {
      if (!timer.free && (first === null || timer.due < timers.get(first).due)) first = id;
    }
    if (first === null) return false;
    const timer = timers.get(first);
    if (timer.due > host.now()) host.sleep(timer.due - host.now());
    if (timer.every) timer.due = host.now() + timer.every;
    else timers.delete(first);
    timer.callback(...timer.rest);
    return true;
  };
  globalThis.__exiting = () => {
    process.emit('beforeExit', process.exitCode ?? 0);
    process.emit('exit', process.exitCode ?? 0);
    return process.exitCode ?? 0;
  };
  globalThis.__print = (value) => print(1, typeof value === 'string' ? value : inspect(value));
  globalThis.__report = (value) => {
    if (process.emit('uncaughtException', value)) return '';
    return `Uncaught ${value instanceof Error ? error(value) : inspect(value)}`;
  };
})();
