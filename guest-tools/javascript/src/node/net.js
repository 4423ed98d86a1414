// net: connections on the sandbox's loopback.
const EventEmitter = require('events');
const { Duplex } = require('stream');
const NUMBERS = { ECONNREFUSED: -111, EADDRINUSE: -98, ENOTFOUND: -3008, EACCES: -13 };
const fail = (syscall, code, address, port) => Object.assign(new Error(`${syscall} ${code} ${address}:${port}`), { errno: NUMBERS[code] ?? -1, code, syscall, address, port });
const FAMILY = (number) => `IPv${number}`;

class Socket extends Duplex {
  constructor(options = {}) {
    super({ allowHalfOpen: options.allowHalfOpen ?? false });
    Object.defineProperties(this, { id: { value: null, writable: true }, wanted: { value: false, writable: true }, waiting: { value: null, writable: true }, source: { value: null, writable: true } });
    Object.assign(this, { connecting: false, pending: true, bytesRead: 0, bytesWritten: 0, timeout: 0 });
  }
  attach(id) {
    this.id = id;
    [this.localAddress, this.localPort, , this.remoteAddress, this.remotePort] = host.addresses(id);
    this.remoteFamily = FAMILY(host.addresses(id)[5]);
    this.pending = false;
    this.source = globalThis.__sources.add({ ref: !this.free, poll: () => this.pump() });
    return this;
  }
  connect(...rest) {
    const done = typeof rest.at(-1) === 'function' ? rest.pop() : undefined;
    const { port, host: name = 'localhost' } = typeof rest[0] === 'object' ? rest[0] : { port: Number(rest[0]), host: rest[1] };
    if (done) this.once('connect', done);
    this.connecting = true;
    process.nextTick(() => {
      const where = name === 'localhost' ? '127.0.0.1' : name;
      try { this.attach(host.connect(where, port)); } catch (error) {
        this.connecting = false;
        const code = ['ECONNREFUSED', 'EACCES'].includes(error.message) ? error.message : 'ENOTFOUND';
        return void this.destroy(fail('connect', code, where, port));
      }
      this.connecting = false;
      this.emit('connect');
      this.emit('ready');
      this.pump();
    });
    return this;
  }
  _read() { this.wanted = true; }
  _write(chunk, encoding, done) { this.waiting = { chunk, at: 0, done }; this.pump(); }
  _final(done) {
    const end = () => { try { host.endSocket(this.id); } catch { /* The other end is gone. */ } done(); };
    if (this.id !== null) end(); else if (this.connecting) this.once('connect', end); else done();
  }
  pump() {
    if (this.id === null) return false;
    let busy = false;
    const { waiting } = this;
    if (waiting) {
      try {
        const count = host.transmit(this.id, waiting.chunk.subarray(waiting.at));
        waiting.at += count;
        this.bytesWritten += count;
        if (count) busy = true;
      } catch (error) { this.waiting = null; waiting.done(Object.assign(new Error(`write ${error.message}`), { code: error.message, syscall: 'write' })); return true; }
      if (waiting.at >= waiting.chunk.length) { this.waiting = null; waiting.done(); busy = true; }
    }
    if (this.wanted && this.id !== null) {
      let bytes;
      try { bytes = host.receive(this.id, 65536); } catch { bytes = new Uint8Array(0); }
      if (bytes !== undefined) {
        this.wanted = false;
        this.bytesRead += bytes.length;
        this.push(bytes.length ? Buffer.from(bytes.buffer) : null);
        busy = true;
      }
    }
    if (busy) this.quiet?.refresh();
    return busy;
  }
  _destroy(error, done) {
    if (this.source) globalThis.__sources.remove(this.source);
    if (this.id !== null) host.closeSocket(this.id);
    if (this.quiet) clearTimeout(this.quiet);
    this.id = null;
    done(error);
  }
  setTimeout(delay, done) {
    if (this.quiet) clearTimeout(this.quiet);
    this.timeout = delay;
    if (done) this.once('timeout', done);
    if (delay) this.quiet = setTimeout(() => this.emit('timeout'), delay).unref();
    return this;
  }
  setNoDelay() { return this; }
  setKeepAlive() { return this; }
  address() { return { address: this.localAddress, port: this.localPort, family: 'IPv4' }; }
  destroySoon() { this.end(); }
  ref() { this.free = false; if (this.source) this.source.ref = true; return this; }
  unref() { this.free = true; if (this.source) this.source.ref = false; return this; }
  get readyState() { return this.connecting ? 'opening' : this.id === null ? 'closed' : 'open'; }
}
class Server extends EventEmitter {
  constructor(options, listener) {
    super();
    if (typeof options === 'function') [options, listener] = [{}, options];
    this.options = options ?? {};
    this.listening = false;
    this.open = new Set();
    if (listener) this.on('connection', listener);
  }
  listen(...rest) {
    const done = typeof rest.at(-1) === 'function' ? rest.pop() : undefined;
    const { port = 0, host: name } = typeof rest[0] === 'object' && rest[0] !== null ? rest[0] : { port: Number(rest[0] ?? 0), host: typeof rest[1] === 'string' ? rest[1] : undefined };
    if (done) this.once('listening', done);
    const where = name === undefined || name === '::' ? '0.0.0.0' : name === 'localhost' ? '127.0.0.1' : name;
    try { this.id = host.listen(where, port); } catch (error) {
      const failure = fail('listen', error.message, name ?? '::', port);
      failure.message = `listen ${error.message}: ${error.message === 'EADDRINUSE' ? 'address already in use' : 'it cannot be listened there'} ${name ?? '::'}:${port}`;
      process.nextTick(() => this.emit('error', failure));
      return this;
    }
    this.source = globalThis.__sources.add({ ref: !this.free, poll: () => this.pump() });
    this.listening = true;
    process.nextTick(() => this.emit('listening'));
    return this;
  }
  pump() {
    let id;
    try { id = host.accept(this.id); } catch { return false; }
    if (id === undefined) return false;
    const socket = new Socket({ allowHalfOpen: this.options.allowHalfOpen ?? false }).attach(id);
    socket.server = this;
    this.open.add(socket);
    socket.once('close', () => { this.open.delete(socket); this.ended(); });
    this.emit('connection', socket);
    return true;
  }
  address() {
    if (!this.listening) return null;
    const [address, port, family] = host.addresses(this.id);
    return { address, family: FAMILY(family), port };
  }
  ended() { if (this.closing && !this.open.size) { this.closing = false; process.nextTick(() => this.emit('close')); } }
  close(done) {
    if (!this.listening) { process.nextTick(() => done?.(Object.assign(new Error('Server is not running.'), { code: 'ERR_SERVER_NOT_RUNNING' }))); return this; }
    if (done) this.once('close', () => done());
    globalThis.__sources.remove(this.source);
    host.closeSocket(this.id);
    this.listening = false;
    this.closing = true;
    this.ended();
    return this;
  }
  getConnections(done) { process.nextTick(done, null, this.open.size); }
  ref() { this.free = false; if (this.source) this.source.ref = true; return this; }
  unref() { this.free = true; if (this.source) this.source.ref = false; return this; }
  [Symbol.asyncDispose]() { return new Promise((resolve) => this.close(resolve)); }
}
const connect = (...rest) => new Socket(typeof rest[0] === 'object' ? rest[0] : {}).connect(...rest);
const isIPv4 = (text) => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((part) => Number(part) < 256);
const isIPv6 = (text) => /^[\da-f:.]*:[\da-f:.]*$/i.test(text);
module.exports = { Socket, Stream: Socket, Server, connect, createConnection: connect, createServer: (options, listener) => new Server(options, listener), isIPv4, isIPv6, isIP: (text) => (isIPv4(text) ? 4 : isIPv6(text) ? 6 : 0) };
