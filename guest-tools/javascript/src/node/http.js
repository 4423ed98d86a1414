// http: a server on the sandbox's loopback, and requests by curl.
const net = require('net');
const { Readable, Writable } = require('stream');
const STATUS_CODES = { 100: 'Continue', 101: 'Switching Protocols', 200: 'OK', 201: 'Created', 202: 'Accepted', 203: 'Non-Authoritative Information', 204: 'No Content', 205: 'Reset Content', 206: 'Partial Content', 300: 'Multiple Choices', 301: 'Moved Permanently', 302: 'Found', 303: 'See Other', 304: 'Not Modified', 307: 'Temporary Redirect', 308: 'Permanent Redirect', 400: 'Bad Request', 401: 'Unauthorized', 402: 'Payment Required', 403: 'Forbidden', 404: 'Not Found', 405: 'Method Not Allowed', 406: 'Not Acceptable', 408: 'Request Timeout', 409: 'Conflict', 410: 'Gone', 411: 'Length Required', 412: 'Precondition Failed', 413: 'Payload Too Large', 414: 'URI Too Long', 415: 'Unsupported Media Type', 416: 'Range Not Satisfiable', 417: 'Expectation Failed', 418: "I'm a Teapot", 422: 'Unprocessable Entity', 426: 'Upgrade Required', 428: 'Precondition Required', 429: 'Too Many Requests', 431: 'Request Header Fields Too Large', 500: 'Internal Server Error', 501: 'Not Implemented', 502: 'Bad Gateway', 503: 'Service Unavailable', 504: 'Gateway Timeout', 505: 'HTTP Version Not Supported' };
const METHODS = ['ACL', 'CONNECT', 'COPY', 'DELETE', 'GET', 'HEAD', 'LINK', 'LOCK', 'MKCOL', 'MOVE', 'OPTIONS', 'PATCH', 'POST', 'PROPFIND', 'PROPPATCH', 'PURGE', 'PUT', 'REPORT', 'SEARCH', 'TRACE', 'UNLINK', 'UNLOCK'];
const ONCE = new Set(['content-type', 'content-length', 'user-agent', 'host', 'authorization', 'from', 'location', 'etag', 'server', 'age', 'expires', 'last-modified', 'referer']);
const fail = (Kind, code, message) => Object.assign(new Kind(message), { code });

class IncomingMessage extends Readable {
  constructor(socket) { super({ read() { this.more?.(); } }); Object.assign(this, { socket, connection: socket, headers: {}, rawHeaders: [], trailers: {}, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, complete: false, aborted: false }); }
  fill(fields) {
    this.rawHeaders = [...fields];
    for (let at = 0; at < fields.length; at += 2) {
      const [name, value] = [fields[at].toLowerCase(), fields[at + 1]];
      if (name === 'set-cookie') (this.headers[name] ??= []).push(value);
      else if (!(name in this.headers)) this.headers[name] = value;
      else if (!ONCE.has(name)) this.headers[name] += (name === 'cookie' ? '; ' : ', ') + value;
    }
    return this;
  }
  setTimeout(delay, done) { this.socket?.setTimeout?.(delay, done); return this; }
}
// The header fields that a message is sent with.
class OutgoingMessage extends Writable {
  constructor(options) { super(options); Object.defineProperty(this, 'fields', { value: new Map() }); this.headersSent = false; }
  setHeader(name, value) {
    if (this.headersSent) throw fail(Error, 'ERR_HTTP_HEADERS_SENT', 'Cannot set headers after they are sent to the client');
    if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name)) throw fail(TypeError, 'ERR_INVALID_HTTP_TOKEN', `Header name must be a valid HTTP token ["${name}"]`);
    if (value === undefined) throw fail(TypeError, 'ERR_HTTP_INVALID_HEADER_VALUE', `Invalid value "undefined" for header "${name}"`);
    if (/[\r\n\0]/.test(String(value))) throw fail(TypeError, 'ERR_INVALID_CHAR', `Invalid character in header content ["${name}"]`);
    this.fields.set(name.toLowerCase(), [name, value]);
    return this;
  }
  appendHeader(name, value) { const before = this.getHeader(name); return this.setHeader(name, before === undefined ? value : [before, value].flat()); }
  getHeader(name) { return this.fields.get(name.toLowerCase())?.[1]; }
  hasHeader(name) { return this.fields.has(name.toLowerCase()); }
  removeHeader(name) { this.fields.delete(name.toLowerCase()); }
  getHeaders() { return Object.fromEntries([...this.fields].map(([name, [, value]]) => [name, value])); }
  getHeaderNames() { return [...this.fields.keys()]; }
  setHeaders(headers) { for (const [name, value] of headers) this.setHeader(name, value); return this; }
  pairs() { return [...this.fields.values()].flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])); }
  take(headers) {
    if (Array.isArray(headers)) for (let at = 0; at < headers.length; at += 2) this.appendHeader(headers[at], headers[at + 1]);
    else for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) this.setHeader(name, value);
  }
  flushHeaders() {}
}
class ServerResponse extends OutgoingMessage {
  constructor(request, socket, keep, done) {
    super({ decodeStrings: true });
    Object.assign(this, { statusCode: 200, statusMessage: undefined, req: request, socket, connection: socket, sendDate: true, keep });
    Object.defineProperties(this, { over: { value: done }, chunked: { value: false, writable: true } });
  }
  writeHead(status, reason, headers) {
    if (this.headersSent) throw fail(Error, 'ERR_HTTP_HEADERS_SENT', 'Cannot write headers after they are sent to the client');
    if (typeof reason === 'object') [reason, headers] = [undefined, reason];
    if (!(status >= 100 && status <= 999)) throw fail(RangeError, 'ERR_HTTP_INVALID_STATUS_CODE', `Invalid status code: ${status}`);
    this.statusCode = status;
    if (reason) this.statusMessage = reason;
    this.take(headers);
    this.decided = true;
    return this;
  }
  get bare() { return this.req.method === 'HEAD' || this.statusCode === 204 || this.statusCode === 304; }
  begin(length) {
    if (this.headersSent) return;
    const open = !this.bare && !this.hasHeader('content-length') && !this.hasHeader('transfer-encoding');
    if (open && length === undefined) { if (this.req.httpVersion === '1.1') this.chunked = true; else this.keep = false; } else if (/chunked/i.test(this.getHeader('transfer-encoding') ?? '')) this.chunked = true;
    if (this.sendDate && !this.hasHeader('date')) this.setHeader('Date', new Date().toUTCString());
    if (/close/i.test(this.getHeader('connection') ?? '')) this.keep = false;
    else if (!this.hasHeader('connection')) { this.setHeader('Connection', this.keep ? 'keep-alive' : 'close'); if (this.keep) this.setHeader('Keep-Alive', 'timeout=5'); }
    if (open && length !== undefined) this.setHeader('Content-Length', length);
    else if (open && this.chunked) this.setHeader('Transfer-Encoding', 'chunked');
    this.headersSent = true;
    const reason = this.statusMessage ?? STATUS_CODES[this.statusCode] ?? 'unknown';
    this.statusMessage = reason;
    this.socket.write(Buffer.from(`HTTP/1.1 ${this.statusCode} ${reason}\r\n${this.pairs().map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`, 'latin1'));
  }
  flushHeaders() { this.begin(); }
  writeContinue() { this.socket.write('HTTP/1.1 100 Continue\r\n\r\n'); }
  _write(chunk, encoding, done) {
    this.begin(this._writable.ending && !this._writable.held.length ? chunk.length : undefined);
    if (this.bare || this.socket.destroyed) return done();
    if (this.chunked) this.socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]), done);
    else this.socket.write(chunk, done);
  }
  // The first piece waits until it is known whether it is all.
  write(chunk, encoding, done) { if (!this.headersSent && !this._writable.ending) this.begin(); return super.write(chunk, encoding, done); }
  end(chunk, encoding, done) {
    if (typeof chunk === 'function') [chunk, done] = [undefined, chunk];
    if (typeof encoding === 'function') [encoding, done] = [undefined, encoding];
    if (!this._writable.ending && !this.headersSent) this.begin(chunk === undefined || chunk === null ? 0 : Buffer.byteLength(chunk, encoding));
    return super.end(chunk, encoding, done);
  }
  _final(done) {
    this.begin(0);
    if (this.chunked && !this.bare && !this.socket.destroyed) this.socket.write('0\r\n\r\n');
    done();
    this.over();
  }
  get writableFinished() { return this._writable.finished; }
  set writableFinished(value) { void value; }
  get finished() { return this._writable.ending; }
  setTimeout() { return this; }
}
// Takes the body out of what arrives: `feed` returns what belongs to the next message, undefined while it goes on.
const bodyOf = (request) => {
  const chunked = /chunked/i.test(request.headers['transfer-encoding'] ?? '');
  let left = chunked ? 0 : Number(request.headers['content-length'] ?? 0), last = false, first = true;
  const end = (rest) => { request.complete = true; request.push(null); return rest; };
  return (given) => {
    let bytes = given;
    for (;;) {
      if (left > 0) {
        const piece = bytes.subarray(0, left);
        if (piece.length) request.push(Buffer.from(piece));
        left -= piece.length;
        bytes = bytes.subarray(piece.length);
        if (left > 0) return { rest: bytes, over: false };
      }
      if (!chunked) return { rest: end(bytes), over: true };
      let start = 0;
      if (!first) { if (bytes.length < 2) return { rest: bytes, over: false }; start = 2; }
      if (last) return { rest: end(bytes.subarray(2)), over: true };
      const found = host.parseChunk(bytes.subarray(start));
      if (!found) return { rest: bytes, over: false };
      bytes = bytes.subarray(start + found[0]);
      first = false;
      left = found[1];
      if (left === 0) last = true;
    }
  };
};
const serve = (server, socket) => {
  let rest = Buffer.alloc(0), body = null, busy = false;
  const refuse = () => { socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'); };
  const next = () => {
    if (busy && !body) return;
    if (body) {
      const { rest: left, over } = body(rest);
      rest = left;
      if (over) body = null;
      if (busy) return;
    }
    if (busy || !rest.length) return;
    let head;
    try { head = host.parseHead(rest, true); } catch (error) { return server.listenerCount('clientError') ? void server.emit('clientError', error, socket) : refuse(); }
    if (!head) return;
    rest = rest.subarray(head.length);
    const request = new IncomingMessage(socket).fill(head.fields);
    Object.assign(request, { method: head.first, url: head.second, httpVersion: `1.${head.number}`, httpVersionMinor: head.number });
    const connection = request.headers.connection ?? '';
    const keep = head.number === 1 ? !/close/i.test(connection) : /keep-alive/i.test(connection);
    busy = true;
    body = bodyOf(request);
    const response = new ServerResponse(request, socket, keep, () => {
      request.resume();
      if (!response.keep || server.closing) return void socket.end();
      busy = false;
      process.nextTick(next);
    });
    socket.current = { request, response };
    if (/100-continue/i.test(request.headers.expect ?? '')) {
      if (server.listenerCount('checkContinue')) { server.emit('checkContinue', request, response); return void next(); }
      response.writeContinue();
    }
    if (request.headers.upgrade && server.listenerCount('upgrade')) { socket.off('data', take); body = null; return void server.emit('upgrade', request, socket, rest); }
    server.emit('request', request, response);
    next();
  };
  const take = (chunk) => { rest = rest.length ? Buffer.concat([rest, chunk]) : chunk; try { next(); } catch (error) { if (error?.message === 'EPROTO') refuse(); else throw error; } };
  socket.on('data', take);
  socket.on('error', () => {});
  socket.on('end', () => { if (!busy) socket.end(); });
  socket.on('close', () => {
    const { request, response } = socket.current ?? {};
    if (request && !request.complete) { request.aborted = true; request.destroy(); }
    if (response && !response._writable.finished) response.destroy();
  });
};
class Server extends net.Server {
  constructor(options, listener) {
    super({ allowHalfOpen: true });
    const call = typeof options === 'function' ? options : listener;
    if (call) this.on('request', call);
    this.on('connection', (socket) => serve(this, socket));
    Object.assign(this, { timeout: 0, keepAliveTimeout: 5000, headersTimeout: 60000, requestTimeout: 300000 });
  }
  close(done) { super.close(done); this.closeIdleConnections(); return this; }
  closeIdleConnections() { for (const socket of this.open) if (!socket.current || socket.current.response._writable.finished) socket.destroy(); }
  closeAllConnections() { for (const socket of this.open) socket.destroy(); }
  setTimeout() { return this; }
}

class ClientRequest extends OutgoingMessage {
  constructor(input, options, done, secure) {
    super({ decodeStrings: true });
    if (typeof options === 'function') [options, done] = [{}, options];
    const given = typeof input === 'string' || input instanceof URL ? { ...options } : { ...input };
    const from = typeof input === 'string' ? new URL(input) : input instanceof URL ? input : null;
    const protocol = given.protocol ?? from?.protocol ?? (secure ? 'https:' : 'http:');
    if (protocol !== (secure ? 'https:' : 'http:')) throw fail(TypeError, 'ERR_INVALID_PROTOCOL', `Protocol "${protocol}" not supported. Expected "${secure ? 'https:' : 'http:'}"`);
    const name = given.hostname ?? given.host ?? from?.hostname ?? 'localhost';
    const port = given.port ?? from?.port;
    this.path = given.path ?? (from ? from.pathname + from.search : '/');
    this.method = (given.method ?? 'GET').toUpperCase();
    this.protocol = protocol;
    this.host = name;
    this.address = new URL(`${protocol}//${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}${port ? `:${port}` : ''}${this.path}`);
    const auth = given.auth ?? (from?.username ? `${decodeURIComponent(from.username)}:${decodeURIComponent(from.password)}` : undefined);
    this.take(given.headers);
    if (auth && !this.hasHeader('authorization')) this.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
    this.aborted = false;
    this.res = null;
    if (done) this.once('response', done);
    if (given.timeout) this.setTimeout(given.timeout);
    given.signal?.addEventListener('abort', () => this.destroy(given.signal.reason));
    process.nextTick(() => this.emit('socket', { setTimeout() {}, on() { return this; }, once() { return this; }, setKeepAlive() {}, setNoDelay() {}, ref() {}, unref() {}, encrypted: secure }));
  }
  begin(hasBody) {
    if (this.child) return;
    this.headersSent = true;
    this.child = require('_curl').request(this.method, this.address, this.pairs(), hasBody, {
      head: (head) => {
        const response = (this.res = new IncomingMessage({ setTimeout() {}, remoteAddress: this.host, encrypted: this.protocol === 'https:', destroy() {} }).fill(head.fields));
        Object.assign(response, { statusCode: head.number, statusMessage: head.first, req: this, url: '' });
        if (!this.emit('response', response)) response.resume();
      },
      data: (chunk) => { this.res.push(chunk); },
      end: () => { this.stopTimer(); this.res.complete = true; this.res.push(null); this.res.on('end', () => this.emit('close')); },
      error: (error) => { this.stopTimer(); if (this.res) { this.res.aborted = true; this.res.destroy(error); } else if (!this.destroyed) this.destroy(error); },
    });
  }
  _write(chunk, encoding, done) { this.begin(true); this.child.stdin.write(chunk, () => done()); }
  _final(done) { this.begin(false); this.child.stdin?.end(); done(); }
  _destroy(error, done) {
    this.stopTimer();
    this.child?.stop(error ?? Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    done(error ?? (this.res || this.aborted ? null : Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })));
  }
  stopTimer() { if (this.timer) clearTimeout(this.timer); this.timer = null; }
  setTimeout(delay, done) {
    if (done) this.once('timeout', done);
    this.stopTimer();
    if (delay) this.timer = setTimeout(() => this.emit('timeout'), delay);
    return this;
  }
  abort() { this.aborted = true; this.destroy(); }
  setNoDelay() {} setSocketKeepAlive() {}
}
ClientRequest.prototype.flushHeaders = function () {};
Object.defineProperty(ClientRequest.prototype, '_auto', { get: () => false, set() {} });
class Agent { constructor(options = {}) { this.options = options; this.maxSockets = Infinity; } destroy() {} }
const client = (secure) => {
  const request = (input, options, done) => new ClientRequest(input, options, done, secure);
  return { request, get: (input, options, done) => { const made = request(input, options, done); made.end(); return made; }, Agent, globalAgent: new Agent() };
};
const refuseServer = () => { throw fail(Error, 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM', 'https.createServer is not available here: TLS is the business of the host; use http.createServer'); };
module.exports = { STATUS_CODES, METHODS, IncomingMessage, OutgoingMessage, ServerResponse, ClientRequest, Server, createServer: (options, listener) => new Server(options, listener), ...client(false), maxHeaderSize: 16384, validateHeaderName() {}, validateHeaderValue() {} };
Object.defineProperty(module.exports, 'secure', { value: { ...client(true), createServer: refuseServer } });
