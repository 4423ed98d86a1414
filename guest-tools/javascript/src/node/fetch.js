// fetch, Headers, Request, Response and FormData.
const check = (name) => { if (!/^[!#$%&'*+\-.^_`|~\w]+$/.test(name)) throw new TypeError(`Headers.append: ${name} is an invalid header name.`); return name.toLowerCase(); };
class Headers {
  #map = new Map();
  constructor(init) {
    if (init === undefined || init === null) return;
    for (const [name, value] of typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init)) this.append(name, value);
  }
  append(name, value) { const key = check(String(name)); this.#map.set(key, [...(this.#map.get(key) || []), String(value).trim()]); }
  set(name, value) { this.#map.set(check(String(name)), [String(value).trim()]); }
  get(name) { const found = this.#map.get(check(String(name))); return found ? found.join(', ') : null; }
  has(name) { return this.#map.has(check(String(name))); }
  delete(name) { this.#map.delete(check(String(name))); }
  getSetCookie() { return [...(this.#map.get('set-cookie') || [])]; }
  *entries() { for (const name of [...this.#map.keys()].sort()) { if (name === 'set-cookie') for (const one of this.#map.get(name)) yield [name, one]; else yield [name, this.get(name)]; } }
  *keys() { for (const [name] of this.entries()) yield name; }
  *values() { for (const [, value] of this.entries()) yield value; }
  forEach(call, self) { for (const [name, value] of this.entries()) call.call(self, value, name, this); }
  [Symbol.iterator]() { return this.entries(); }
  get [Symbol.toStringTag]() { return 'Headers'; }
  [Symbol.for('nodejs.util.inspect.custom')](depth, options, inspect) { return `Headers ${inspect(Object.fromEntries(this), options)}`; }
}
class FormData {
  #pairs = [];
  append(name, value, file) { this.#pairs.push([String(name), value instanceof Blob ? value : String(value), file]); }
  set(name, value, file) { this.delete(name); this.append(name, value, file); }
  get(name) { return this.#pairs.find((pair) => pair[0] === name)?.[1] ?? null; }
  getAll(name) { return this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1]); }
  has(name) { return this.#pairs.some((pair) => pair[0] === name); }
  delete(name) { this.#pairs = this.#pairs.filter((pair) => pair[0] !== name); }
  *entries() { for (const [name, value] of this.#pairs) yield [name, value]; }
  [Symbol.iterator]() { return this.entries(); }
  async _encode(boundary) {
    const parts = [];
    for (const [name, value, file] of this.#pairs) {
      const isFile = value instanceof Blob;
      parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${isFile ? `; filename="${file ?? value.name ?? 'blob'}"\r\nContent-Type: ${value.type || 'application/octet-stream'}` : ''}\r\n\r\n`), isFile ? Buffer.from(await value.arrayBuffer()) : Buffer.from(value), Buffer.from('\r\n'));
    }
    return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  }
}
// A body as bytes, and the type that it implies.
const extract = (body) => {
  if (body === undefined || body === null) return [null, null];
  if (typeof body === 'string') return [Buffer.from(body), 'text/plain;charset=UTF-8'];
  if (body instanceof URLSearchParams) return [Buffer.from(body.toString()), 'application/x-www-form-urlencoded;charset=UTF-8'];
  if (body instanceof ArrayBuffer) return [Buffer.from(new Uint8Array(body)), null];
  if (ArrayBuffer.isView(body)) return [Buffer.from(body.buffer, body.byteOffset, body.byteLength), null];
  if (body instanceof Blob) return [body.arrayBuffer().then((bytes) => Buffer.from(bytes)), body.type || null];
  if (body instanceof FormData) { const boundary = `----formdata-${Buffer.from(host.random(8)).toString('hex')}`; return [body._encode(boundary), `multipart/form-data; boundary=${boundary}`]; }
  if (typeof body[Symbol.asyncIterator] === 'function') return [require('stream').consumers.buffer(body), null];
  return [Buffer.from(String(body)), 'text/plain;charset=UTF-8'];
};
class Body {
  #source = null;
  bodyUsed = false;
  _set(source) { this.#source = source; }
  _source() { return this.#source; }
  async _take() {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read');
    if (this.#source === null) return Buffer.alloc(0);
    this.bodyUsed = true;
    if (Buffer.isBuffer(this.#source)) return this.#source;
    return typeof this.#source.then === 'function' ? this.#source : require('stream').consumers.buffer(this.#source);
  }
  // Its bytes as they arrive: what a reader of a web stream and `for await` need.
  get body() {
    if (this.#source === null) return null;
    const own = this;
    async function* chunks() {
      own.bodyUsed = true;
      if (typeof own.#source[Symbol.asyncIterator] === 'function') for await (const chunk of own.#source) yield new Uint8Array(chunk);
      else yield new Uint8Array(await own.#source);
    }
    let iterator;
    const open = () => (iterator ??= chunks());
    return {
      getReader: () => ({ read: () => open().next(), cancel: async () => { await open().return(); }, releaseLock() {} }),
      [Symbol.asyncIterator]: open, cancel: async () => { await open().return(); },
    };
  }
  async arrayBuffer() { return new Uint8Array(await this._take()).buffer; }
  async bytes() { return new Uint8Array(await this._take()); }
  async text() { return (await this._take()).toString().replace(/^\ufeff/, ''); }
  async json() { return JSON.parse(await this.text()); }
  async blob() { return new Blob([await this._take()], { type: this.headers.get('content-type') ?? '' }); }
}
class Request extends Body {
  constructor(input, init = {}) {
    super();
    const from = input instanceof Request ? input : null;
    let url;
    try { url = new URL(from ? from.url : String(input)); } catch { throw new TypeError(`Failed to parse URL from ${input}`); }
    this.url = url.href;
    const method = String(init.method ?? from?.method ?? 'GET');
    this.method = /^(get|head|post|put|delete|options|patch)$/i.test(method) && method.toLowerCase() !== 'patch' ? method.toUpperCase() : method;
    this.headers = new Headers(init.headers ?? from?.headers);
    this.redirect = init.redirect ?? from?.redirect ?? 'follow';
    this.signal = init.signal ?? from?.signal ?? new AbortController().signal;
    const [bytes, type] = init.body !== undefined ? extract(init.body) : [from?._source() ?? null, null];
    if (bytes !== null && /^(GET|HEAD)$/.test(this.method)) throw new TypeError('Request with GET/HEAD method cannot have body.');
    this._set(bytes);
    if (type && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }
  clone() { return new Request(this); }
}
class Response extends Body {
  constructor(body = null, { status = 200, statusText = '', headers } = {}) {
    super();
    if (!(status >= 200 && status <= 599)) throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    const [bytes, type] = extract(body);
    this._set(bytes);
    Object.assign(this, { type: 'default', url: '', redirected: false, status, statusText });
    this.headers = new Headers(headers);
    if (type && !this.headers.has('content-type')) this.headers.set('content-type', type);
  }
  get ok() { return this.status >= 200 && this.status < 300; }
  clone() {
    if (this.bodyUsed) throw new TypeError('Response.clone: Body has already been consumed.');
    const source = this._source();
    const whole = source === null || Buffer.isBuffer(source) ? source : typeof source.then === 'function' ? source : require('stream').consumers.buffer(source);
    this._set(whole);
    const made = new Response(null, this);
    made._set(whole);
    return Object.assign(made, { url: this.url, redirected: this.redirected });
  }
  static json(value, init = {}) { const headers = new Headers(init.headers); if (!headers.has('content-type')) headers.set('content-type', 'application/json'); return new Response(JSON.stringify(value), { ...init, headers }); }
  static error() { const made = new Response(); made.type = 'error'; return made; }
  static redirect(url, status = 302) { return new Response(null, { status, headers: { location: String(url) } }); }
}
const send = (method, url, headers, body, signal) => new Promise((resolve, reject) => {
  const { PassThrough } = require('stream');
  const stream = new PassThrough();
  const fields = [...headers];
  for (const [name, value] of [['accept', '*/*'], ['accept-language', '*'], ['user-agent', 'node']]) if (!headers.has(name)) fields.push([name, value]);
  let answered = false;
  const fail = (error) => {
    if (answered) return void stream.destroy(error);
    reject(error);
  };
  const child = require('_curl').request(method, url, fields, body !== null, {
    head(head) {
      answered = true;
      const pairs = [];
      for (let at = 0; at < head.fields.length; at += 2) pairs.push([head.fields[at], head.fields[at + 1]]);
      resolve({ status: head.number, statusText: head.first, headers: pairs, stream });
    },
    data: (chunk) => { stream.write(chunk); },
    end: () => stream.end(),
    error: (error) => fail(answered ? error : Object.assign(new TypeError('fetch failed'), { cause: error })),
  });
  signal.addEventListener('abort', () => { const { reason } = signal; fail(reason); child.stop(reason); }, { once: true });
  if (body !== null) child.stdin.end(body);
});
const decode = (stream, encoding) => {
  const zlib = require('zlib');
  const kind = { gzip: 'createGunzip', 'x-gzip': 'createGunzip', deflate: 'createInflate' }[encoding];
  if (!kind) return stream;
  const made = zlib[kind]();
  stream.on('error', (error) => made.destroy(error));
  return stream.pipe(made);
};
const fetch = async (input, init) => {
  const request = new Request(input, init);
  request.signal.throwIfAborted();
  let { method } = request, url = new URL(request.url), body = request._source(), redirected = false;
  if (!/^https?:$/.test(url.protocol)) throw Object.assign(new TypeError('fetch failed'), { cause: new Error(url.protocol === 'data:' ? 'not implemented... yet...' : 'unknown scheme') });
  const headers = new Headers(request.headers);
  if (body !== null) body = await (Buffer.isBuffer(body) || typeof body.then === 'function' ? body : require('stream').consumers.buffer(body));
  for (let hop = 0; ; hop++) {
    const answer = await send(method, url, headers, body, request.signal);
    const location = answer.headers.find(([name]) => name.toLowerCase() === 'location');
    if (location && [301, 302, 303, 307, 308].includes(answer.status) && request.redirect !== 'manual') {
      answer.stream.resume();
      if (request.redirect === 'error') throw Object.assign(new TypeError('fetch failed'), { cause: new Error('unexpected redirect') });
      if (hop === 20) throw Object.assign(new TypeError('fetch failed'), { cause: new Error('redirect count exceeded') });
      const next = new URL(location[1], url);
      if (next.origin !== url.origin) for (const name of ['authorization', 'cookie', 'host']) headers.delete(name);
      url = next;
      redirected = true;
      if (answer.status === 303 || ((answer.status === 301 || answer.status === 302) && method === 'POST')) {
        if (method !== 'HEAD') method = 'GET';
        body = null;
        for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name);
      }
      continue;
    }
    const response = new Response(null, { status: answer.status, statusText: answer.statusText, headers: answer.headers });
    const encoding = response.headers.get('content-encoding');
    response._set(method === 'HEAD' || [204, 304].includes(answer.status) ? null : decode(answer.stream, encoding));
    return Object.assign(response, { url: url.href.replace(/#.*$/, ''), redirected, type: 'basic' });
  }
};
module.exports = { fetch, Headers, Request, Response, FormData };
