// child_process: over the processes of the sandbox.
const EventEmitter = require('events');
const { Readable, Writable } = require('stream');
const SIGNALS = globalThis.__signals;
const NAMES = Object.fromEntries(Object.entries(SIGNALS).map(([name, number]) => [number, name]));
const TEXTS = { ENOENT: -2, EACCES: -13, ENOTDIR: -20, E2BIG: -7, EAGAIN: -11, ENOEXEC: -8, ENOSYS: -38, ETIMEDOUT: -110, ENOBUFS: -105 };

const fail = (code, syscall, file, args) => Object.assign(new Error(`${syscall} ${code}`), { errno: TEXTS[code] ?? -1, code, syscall, path: file, spawnargs: args });
const numberOf = (signal = 'SIGTERM') => {
  const number = typeof signal === 'number' ? signal : SIGNALS[signal];
  if (number === undefined) throw Object.assign(new TypeError(`Unknown signal: ${signal}`), { code: 'ERR_UNKNOWN_SIGNAL' });
  return number;
};
const checkText = (value, name) => {
  if (typeof value !== 'string') throw Object.assign(new TypeError(`The "${name}" argument must be of type string. Received ${globalThis.__inspect.received(value)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  if (value.includes('\0')) throw Object.assign(new TypeError(`The argument '${name}' must be a string without null bytes. Received ${globalThis.__inspect.inspect(value)}`), { code: 'ERR_INVALID_ARG_VALUE' });
};
const find = (file, env, directory) => {
  const { resolve } = require('path');
  if (file.includes('/')) return resolve(directory, file);
  for (const folder of (env.PATH ?? '/usr/bin:/bin').split(':')) { const path = resolve(directory, folder, file); if (host.isExecutable(path)) return path; }
  return null;
};
// The command with its options, whichever of them were left out.
const normalize = (file, args, options) => {
  checkText(file, 'file');
  if (!Array.isArray(args)) [args, options] = [[], args];
  const given = { ...options };
  let words = [...args].map(String);
  words.forEach((word) => checkText(word, 'args'));
  let command = file;
  if (given.shell) {
    const line = [file, ...words].join(' ');
    command = typeof given.shell === 'string' ? given.shell : '/bin/sh';
    words = ['-c', line];
  }
  const env = given.env ?? process.env;
  const cwd = given.cwd === undefined ? host.cwd() : given.cwd instanceof URL ? require('url').fileURLToPath(given.cwd) : String(given.cwd);
  return { ...given, file: command, words, argv0: given.argv0 ?? command, env, cwd: require('path').resolve(cwd) };
};
const pipe = () => host.pipe().split(' ').map(Number);
const streamFd = (one) => (typeof one === 'number' ? one : one?.fd ?? one?._handle?.fd);
// What each of the three streams is on both sides. `close` are those that only the child is to have.
const streams = (stdio = 'pipe') => {
  const wanted = typeof stdio === 'string' ? [stdio, stdio, stdio] : [0, 1, 2].map((at) => stdio[at] ?? 'pipe');
  const child = [], own = [], close = [];
  wanted.forEach((kind, at) => {
    let fd = null;
    if (kind === 'pipe' || kind === 'overlapped') {
      const [reader, writer] = pipe();
      fd = at === 0 ? reader : writer;
      own[at] = at === 0 ? writer : reader;
      close.push(fd);
    } else if (kind === 'inherit') fd = at;
    else if (kind === 'ignore') { fd = host.openDescriptor('/dev/null', at !== 0); close.push(fd); }
    else if (kind === process.stdin) fd = 0;
    else {
      const number = streamFd(kind);
      if (typeof number !== 'number') throw Object.assign(new TypeError(`The argument 'stdio' is invalid. Received ${globalThis.__inspect.inspect(kind)}`), { code: 'ERR_INVALID_ARG_VALUE' });
      if (number <= 2) fd = number; else { fd = require('fs')._inherit(number, at !== 0); close.push(fd); }
    }
    child[at] = fd;
  });
  return { child, own, close };
};
const start = (options, stdio) => {
  const path = find(options.file, options.env, options.cwd);
  const words = [options.argv0, ...options.words];
  const env = Object.entries(options.env).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}=${value}`).join('\0');
  try {
    if (!require('fs').existsSync(options.cwd)) throw new Error('ENOENT');
    if (path === null) throw new Error('ENOENT');
    try { return host.spawn(path, words.join('\0'), env, options.cwd, ...stdio.child); } catch (error) {
      if (error.message !== 'ENOEXEC') throw error;
      // As `execvp` does: a text file without `#!` is a script of the shell.
      return host.spawn('/bin/sh', ['sh', path, ...options.words].join('\0'), env, options.cwd, ...stdio.child);
    }
  } finally { stdio.close.forEach((fd) => host.closeDescriptor(fd)); }
};
const ended = (status) => (status < 0 ? [null, NAMES[-status] ?? `SIG${-status}`] : [status, null]);

class Reader extends Readable {
  constructor(fd) { super({ highWaterMark: 65536 }); this.fd = fd; }
  _read() { this.wanted = true; }
  pump() {
    if (!this.wanted || this.fd === null) return false;
    let bytes;
    try { bytes = host.readPipe(this.fd, 65536); } catch { bytes = new Uint8Array(0); }
    if (bytes === undefined) return false;
    this.wanted = false;
    if (bytes.length) this.push(Buffer.from(bytes.buffer)); else { this.shut(); this.push(null); }
    return true;
  }
  shut() { if (this.fd !== null) host.closeDescriptor(this.fd); this.fd = null; }
  _destroy(error, done) { this.shut(); done(error); }
}
class Writer extends Writable {
  constructor(fd) { super(); this.fd = fd; this.waiting = null; }
  _write(chunk, encoding, done) { this.waiting = { chunk, at: 0, done }; this.pump(); }
  _final(done) { this.shut(); done(); }
  pump() {
    if (!this.waiting || this.fd === null) return false;
    const { waiting } = this;
    let count;
    try { count = host.writePipe(this.fd, waiting.chunk.subarray(waiting.at)); } catch (error) {
      this.waiting = null;
      this.shut();
      waiting.done(Object.assign(new Error(`write ${error.message}`), { code: error.message, syscall: 'write' }));
      return true;
    }
    waiting.at += count;
    if (waiting.at >= waiting.chunk.length) { this.waiting = null; waiting.done(); }
    return count > 0;
  }
  shut() { if (this.fd !== null) host.closeDescriptor(this.fd); this.fd = null; }
  _destroy(error, done) { this.shut(); done(error); }
}

class ChildProcess extends EventEmitter {
  constructor() { super(); Object.assign(this, { pid: undefined, exitCode: null, signalCode: null, killed: false, connected: false, stdin: null, stdout: null, stderr: null, spawnfile: '', spawnargs: [] }); }
  kill(signal) {
    const number = numberOf(signal);
    if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) return false;
    try { host.kill(this.pid, number); } catch { return false; }
    if (number !== 0) this.killed = true;
    return true;
  }
  ref() { if (this.source) this.source.ref = true; return this; }
  unref() { if (this.source) this.source.ref = false; return this; }
  disconnect() {}
  send() { throw Object.assign(new Error('Channel closed'), { code: 'ERR_IPC_CHANNEL_CLOSED' }); }
}
const spawn = (file, args, options) => {
  const given = normalize(file, args, options);
  const child = new ChildProcess();
  Object.assign(child, { spawnfile: given.file, spawnargs: [given.argv0, ...given.words] });
  const stdio = streams(given.stdio);
  if (stdio.own[0] !== undefined) child.stdin = new Writer(stdio.own[0]);
  if (stdio.own[1] !== undefined) child.stdout = new Reader(stdio.own[1]);
  if (stdio.own[2] !== undefined) child.stderr = new Reader(stdio.own[2]);
  child.stdio = [child.stdin, child.stdout, child.stderr];
  try { child.pid = start(given, stdio); } catch (error) {
    child.stdin?.destroy(); child.stdout?.destroy(); child.stderr?.destroy();
    process.nextTick(() => { child.emit('error', fail(error.message, `spawn ${given.file}`, given.file, given.words)); child.emit('close', TEXTS[error.message] ?? -1, null); });
    return child;
  }
  process.nextTick(() => child.emit('spawn'));
  watch(child);
  if (given.timeout) { const timer = setTimeout(() => child.kill(given.killSignal), given.timeout); child.once('exit', () => clearTimeout(timer)); }
  given.signal?.addEventListener('abort', () => { if (child.kill(given.killSignal)) child.emit('error', Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR', cause: given.signal.reason })); });
  return child;
};
// Moves what its pipes carry, and tells of its end; `close` follows when its output has ended.
const watch = (child) => {
  let over = false;
  const isOpen = (stream) => stream && !stream.closed && !stream.readableEnded;
  child.source = globalThis.__sources.add({
    poll() {
      let busy = false;
      for (const stream of child.stdio) if (stream?.pump()) busy = true;
      if (!over) {
        let status;
        try { status = host.tryWait(child.pid); } catch { status = 0; }
        if (status !== undefined) {
          over = busy = true;
          [child.exitCode, child.signalCode] = ended(status);
          child.stdin?.destroy();
          child.emit('exit', child.exitCode, child.signalCode);
          for (const stream of [child.stdout, child.stderr]) if (stream && stream.readableFlowing === null && !stream.listenerCount('readable')) stream.resume();
        }
      }
      if (over && !isOpen(child.stdout) && !isOpen(child.stderr)) {
        globalThis.__sources.remove(child.source);
        process.nextTick(() => child.emit('close', child.exitCode, child.signalCode));
        busy = true;
      }
      return busy;
    },
  });
};

const decoded = (parts, encoding) => { const all = Buffer.concat(parts); return encoding && encoding !== 'buffer' ? all.toString(encoding) : all; };
const execFile = (file, ...rest) => {
  const done = typeof rest.at(-1) === 'function' ? rest.pop() : undefined;
  const [args, options] = Array.isArray(rest[0]) ? rest : [[], rest[0]];
  const given = { encoding: 'utf8', maxBuffer: 1024 * 1024, killSignal: 'SIGTERM', ...options };
  const child = spawn(file, args, { ...given, stdio: 'pipe' });
  const parts = [[], []], sizes = [0, 0];
  let failure = null;
  [child.stdout, child.stderr].forEach((stream, at) => stream.on('data', (chunk) => {
    const room = given.maxBuffer - sizes[at];
    sizes[at] += chunk.length;
    parts[at].push(chunk.length > room ? chunk.subarray(0, Math.max(0, room)) : chunk);
    if (chunk.length > room && !failure) {
      failure = Object.assign(new RangeError(`${at ? 'stderr' : 'stdout'} maxBuffer length exceeded`), { code: 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' });
      child.kill(given.killSignal);
    }
  }));
  child.on('error', (error) => { failure = error; });
  child.on('close', (code, signal) => {
    const [stdout, stderr] = parts.map((one) => decoded(one, given.encoding));
    const command = given.shell ? args.length ? [file, ...args].join(' ') : file : [file, ...args].join(' ');
    if (!failure && (code !== 0 || signal)) failure = Object.assign(new Error(`Command failed: ${command}\n${stderr}`), { code: code ?? undefined, killed: child.killed, signal, cmd: command });
    if (failure) { failure.cmd ??= command; Object.assign(failure, { stdout, stderr }); if (failure.code === undefined) failure.code = null; }
    done?.(failure, stdout, stderr);
  });
  return child;
};
const exec = (command, options, done) => {
  if (typeof options === 'function') [options, done] = [undefined, options];
  return execFile(command, [], { ...options, shell: typeof options?.shell === 'string' ? options.shell : true }, done);
};
const promised = (call) => (...rest) => {
  let child;
  const promise = new Promise((resolve, reject) => { child = call(...rest, (error, stdout, stderr) => (error ? reject(error) : resolve({ stdout, stderr }))); });
  promise.child = child;
  return promise;
};
const { promisify } = require('util');
exec[promisify.custom] = promised(exec);
execFile[promisify.custom] = promised(execFile);

const spawnSync = (file, args, options) => {
  const given = normalize(file, args, options);
  const limit = given.maxBuffer ?? 1024 * 1024;
  const stdio = streams(given.input !== undefined && typeof given.stdio !== 'string' ? ['pipe', ...(given.stdio ?? []).slice(1)] : given.stdio);
  const shown = (parts) => (parts === null ? null : decoded(parts, given.encoding));
  const parts = [null, stdio.own[1] === undefined ? null : [], stdio.own[2] === undefined ? null : []];
  const result = (more) => { const output = [null, shown(parts[1]), shown(parts[2])]; return { pid: 0, output, stdout: output[1], stderr: output[2], status: null, signal: null, ...more }; };
  let pid;
  try { pid = start(given, stdio); } catch (error) {
    stdio.own.forEach((fd) => host.closeDescriptor(fd));
    return { ...result(), output: null, stdout: null, stderr: null, error: fail(error.message, `spawnSync ${given.file}`, given.file, given.words) };
  }
  const input = given.input === undefined ? null : typeof given.input === 'string' ? Buffer.from(given.input) : Buffer.from(given.input.buffer, given.input.byteOffset, given.input.byteLength);
  const sizes = [0, 0, 0], deadline = given.timeout ? host.now() + given.timeout : Infinity;
  let written = 0, status, error, pause = 0.02;
  const kill = (code) => {
    if (error) return;
    error = fail(code, `spawnSync ${given.file}`, given.file, given.words);
    try { host.kill(pid, numberOf(given.killSignal)); } catch { /* It has ended. */ }
  };
  const shut = (at) => { host.closeDescriptor(stdio.own[at]); stdio.own[at] = undefined; };
  while (status === undefined || stdio.own[1] !== undefined || stdio.own[2] !== undefined) {
    let busy = false;
    if (stdio.own[0] !== undefined) {
      try {
        if (input && written < input.length) { const count = host.writePipe(stdio.own[0], input.subarray(written, written + 65536)); written += count; busy = count > 0; }
        if (!input || written >= input.length) shut(0);
      } catch { shut(0); }
    }
    for (const at of [1, 2]) {
      if (stdio.own[at] === undefined) continue;
      let bytes;
      try { bytes = host.readPipe(stdio.own[at], 65536); } catch { bytes = new Uint8Array(0); }
      if (bytes === undefined) continue;
      busy = true;
      if (!bytes.length) { shut(at); continue; }
      const room = limit - sizes[at];
      sizes[at] += bytes.length;
      parts[at].push(Buffer.from(bytes.length > room ? bytes.subarray(0, Math.max(0, room)) : bytes));
      if (bytes.length > room) kill('ENOBUFS');
    }
    if (status === undefined) {
      status = host.tryWait(pid);
      if (status !== undefined) { busy = true; if (stdio.own[0] !== undefined) shut(0); }
    } else if (!busy && error) break;
    if (host.now() > deadline) kill('ETIMEDOUT');
    if (busy) pause = 0.02; else { host.sleep(pause); pause = Math.min(pause * 1.5, 5); }
  }
  stdio.own.forEach((fd) => { if (fd !== undefined) host.closeDescriptor(fd); });
  const [code, signal] = ended(status);
  return result({ pid, status: code, signal, ...(error ? { error } : {}) });
};
const checked = (result, command) => {
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const stderr = result.stderr ? result.stderr.toString() : '';
  throw Object.assign(new Error(`Command failed: ${command}${stderr ? `\n${stderr}` : ''}`), result);
};
// What a command says on standard error is passed on, unless somebody asked for it.
const told = (options, result) => { if (options?.stdio === undefined && result.stderr?.length) process.stderr.write(result.stderr); return result; };
const execFileSync = (file, args, options) => {
  if (!Array.isArray(args)) [args, options] = [[], args];
  return checked(told(options, spawnSync(file, args, options)), [file, ...args].join(' '));
};
const execSync = (command, options) => checked(told(options, spawnSync(command, [], { ...options, shell: typeof options?.shell === 'string' ? options.shell : true })), command);
const fork = () => { throw Object.assign(new Error('child_process.fork is not available here: a process of a sandbox has no channel to its parent; use spawn with pipes'), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }); };
module.exports = { ChildProcess, spawn, exec, execFile, spawnSync, execSync, execFileSync, fork };
