// stream: Readable, Writable, Duplex, Transform, pipeline and finished.
const EventEmitter = require('events');

const fail = (code, message) => Object.assign(new Error(message), { code });
const toBuffer = (chunk, encoding) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk instanceof Uint8Array && !Buffer.isBuffer(chunk) ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : chunk);

function Stream(options) { EventEmitter.call(this, options); }
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

// What both sides share.
const begin = (stream, options) => {
  stream.destroyed = false;
  stream.errored = null;
  stream.closed = false;
  stream._auto = options.autoDestroy !== false;
  if (options.destroy) stream._destroy = options.destroy;
  const construct = options.construct || stream._construct;
  stream._ready = !construct;
  if (construct) {
    process.nextTick(() => construct.call(stream, (error) => {
      if (error) return void stream.destroy(error);
      stream._ready = true;
      if (stream._readable) process.nextTick(() => pull(stream));
      if (stream._writable) drain(stream);
    }));
  }
  options.signal?.addEventListener('abort', () => stream.destroy(options.signal.reason));
};
const destroy = function (error, done) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this.errored = error ?? null;
  const finish = (failure) => {
    process.nextTick(() => {
      if (failure) this.emit('error', failure);
      this.closed = true;
      this.emit('close');
      if (typeof done === 'function') done(failure);
    });
  };
  try { this._destroy(error ?? null, finish); } catch (failure) { finish(failure); }
  return this;
};
const settle = (stream) => {
  const { _readable: input, _writable: output } = stream;
  if (stream._auto && (!input || input.emitted) && (!output || output.finished)) stream.destroy();
};

function Readable(options = {}) {
  if (!(this instanceof Readable)) return new Readable(options);
  Stream.call(this, options);
  if (options.read) this._read = options.read;
  startReadable(this, options);
  begin(this, options);
}
const startReadable = (stream, options) => {
  stream._readable = { held: [], size: 0, flowing: null, ended: false, emitted: false, reading: false, decoder: null, encoding: null, object: !!(options.objectMode || options.readableObjectMode), limit: options.highWaterMark ?? options.readableHighWaterMark ?? (options.objectMode ? 16 : 65536), pipes: [], scheduled: false };
  stream.readable = true;
  if (options.encoding) stream.setEncoding(options.encoding);
};
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);

// Asks for more, and hands out what there is.
const pull = (stream) => {
  const state = stream._readable;
  if (stream.destroyed || !stream._ready) return;
  if (!state.ended && !state.reading && (state.size < state.limit)) {
    state.reading = true;
    try { stream._read(state.limit); } catch (error) { stream.destroy(error); }
  }
  flow(stream);
};
const schedule = (stream) => {
  const state = stream._readable;
  if (state.scheduled) return;
  state.scheduled = true;
  process.nextTick(() => { state.scheduled = false; pull(stream); });
};
const size = (state, chunk) => (state.object ? 1 : chunk.length);
const flow = (stream) => {
  const state = stream._readable;
  while (state.flowing && state.held.length && !stream.destroyed) {
    const chunk = state.held.shift();
    state.size -= size(state, chunk);
    stream.emit('data', chunk);
  }
  if (state.flowing === null && stream.listenerCount('readable') && (state.held.length || state.ended) && !state.told) {
    state.told = true;
    process.nextTick(() => { state.told = false; if (!stream.destroyed && (state.held.length || state.ended) && !state.emitted) { stream.emit('readable'); finishRead(stream); } });
  }
  finishRead(stream);
  if (state.flowing && !state.ended && !state.reading && !stream.destroyed) schedule(stream);
};
const finishRead = (stream) => {
  const state = stream._readable;
  if (!state.ended || state.held.length || state.emitted || stream.destroyed || (state.flowing === null && !state.asked)) return;
  state.emitted = true;
  stream.readable = false;
  process.nextTick(() => { stream.emit('end'); stream.readableEnded = true; if (stream._writable && !stream.allowHalfOpen) stream.end(); settle(stream); });
};
const readableMethods = {
  _read() { throw fail('ERR_METHOD_NOT_IMPLEMENTED', 'The _read() method is not implemented'); },
  _destroy(error, done) { done(error); },
  destroy,
  push(chunk, encoding) {
    const state = this._readable;
    state.reading = false;
    if (chunk === null) {
      const rest = state.decoder?.end();
      if (rest) { state.held.push(rest); state.size += size(state, rest); }
      state.ended = true;
      flow(this);
      return false;
    }
    if (state.ended) { this.destroy(fail('ERR_STREAM_PUSH_AFTER_EOF', 'stream.push() after EOF')); return false; }
    if (!state.object) {
      chunk = toBuffer(chunk, encoding);
      if (state.decoder) chunk = state.decoder.write(chunk);
      if (chunk.length === 0) { schedule(this); return true; }
    }
    state.held.push(chunk);
    state.size += size(state, chunk);
    if (state.flowing !== false) schedule(this);
    return state.size < state.limit;
  },
  unshift(chunk) { const state = this._readable; state.held.unshift(chunk); state.size += size(state, chunk); },
  read(count) {
    const state = this._readable;
    state.asked = true;
    if (!state.held.length && !state.ended && !state.reading && this._ready && !this.destroyed) {
      state.reading = true;
      try { this._read(state.limit); } catch (error) { this.destroy(error); }
    }
    if (!state.held.length || (count > state.size && !state.ended && !state.object)) { schedule(this); finishRead(this); return null; }
    let chunk;
    if (state.object) chunk = state.held.shift();
    else {
      const whole = state.held.length === 1 ? state.held[0] : typeof state.held[0] === 'string' ? state.held.join('') : Buffer.concat(state.held);
      chunk = count === undefined || count >= whole.length ? whole : whole.slice(0, count);
      state.held = chunk.length < whole.length ? [whole.slice(chunk.length)] : [];
    }
    state.size -= size(state, chunk);
    schedule(this);
    return chunk;
  },
  setEncoding(encoding) {
    const state = this._readable;
    state.decoder = new (require('string_decoder').StringDecoder)(encoding);
    state.encoding = encoding;
    state.held = state.held.map((chunk) => state.decoder.write(chunk));
    return this;
  },
  on(name, listener) {
    EventEmitter.prototype.on.call(this, name, listener);
    if (name === 'data' && this._readable.flowing !== false) this.resume();
    if (name === 'readable') { this._readable.asked = true; schedule(this); }
    return this;
  },
  resume() { const state = this._readable; if (!state.flowing) { state.flowing = true; this.emit('resume'); } schedule(this); return this; },
  pause() { this._readable.flowing = false; this.emit('pause'); return this; },
  isPaused() { return this._readable.flowing === false; },
  pipe(target, options) {
    const ondata = (chunk) => { if (target.write(chunk) === false) { this.pause(); target.once('drain', () => this.resume()); } };
    this._readable.pipes.push([target, ondata]);
    this.on('data', ondata);
    if (options?.end !== false && target !== process.stdout && target !== process.stderr) this.once('end', () => target.end());
    target.emit('pipe', this);
    return target;
  },
  unpipe(target) {
    for (const [one, listener] of this._readable.pipes) if (!target || one === target) { this.off('data', listener); one.emit('unpipe', this); }
    this._readable.pipes = this._readable.pipes.filter(([one]) => target && one !== target);
    return this;
  },
  [Symbol.asyncIterator]() { return iterate(this); },
  iterator() { return iterate(this); },
  async toArray() { const out = []; for await (const one of this) out.push(one); return out; },
  map(call) { const input = this; return Readable.from((async function* () { for await (const one of input) yield await call(one); })()); },
  filter(call) { const input = this; return Readable.from((async function* () { for await (const one of input) if (await call(one)) yield one; })()); },
  async forEach(call) { for await (const one of this) await call(one); },
  async reduce(call, ...rest) {
    let sum, isEmpty = rest.length === 0;
    if (!isEmpty) [sum] = rest;
    for await (const one of this) { sum = isEmpty ? one : await call(sum, one); isEmpty = false; }
    if (isEmpty) throw Object.assign(new TypeError('Reduce of an empty stream requires an initial value'), { code: 'ERR_INVALID_ARG_VALUE' });
    return sum;
  },
  async some(call) { for await (const one of this) if (await call(one)) return true; return false; },
  async every(call) { for await (const one of this) if (!await call(one)) return false; return true; },
  async find(call) { for await (const one of this) if (await call(one)) return one; return undefined; },
  flatMap(call) { const input = this; return Readable.from((async function* () { for await (const one of input) yield* await call(one); })()); },
  take(count) { const input = this; return Readable.from((async function* () { let left = count; if (left > 0) for await (const one of input) { yield one; if (--left <= 0) return; } })()); },
  drop(count) { const input = this; return Readable.from((async function* () { let left = count; for await (const one of input) if (left-- <= 0) yield one; })()); },
};
readableMethods.addListener = readableMethods.on;
async function* iterate(stream) {
  let wake, failure, ended = stream._readable.emitted, closed = stream.destroyed;
  const ring = () => wake?.();
  stream.on('readable', ring);
  stream.on('end', () => { ended = true; ring(); });
  stream.on('error', (error) => { failure = error; ring(); });
  stream.on('close', () => { closed = true; ring(); });
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) { yield chunk; continue; }
      if (failure) throw failure;
      if (ended) return;
      if (closed) throw stream.errored ?? fail('ERR_STREAM_PREMATURE_CLOSE', 'Premature close');
      await new Promise((resolve) => { wake = resolve; });
    }
  } finally { if (!ended) stream.destroy(); }
}
const getters = (prototype, table) => { for (const [name, get] of Object.entries(table)) Object.defineProperty(prototype, name, { get, configurable: true }); };
const define = (prototype, table) => { for (const name of Reflect.ownKeys(table)) Object.defineProperty(prototype, name, { value: table[name], writable: true, configurable: true }); };
define(Readable.prototype, readableMethods);
const readableGetters = {
  readableFlowing() { return this._readable.flowing; }, readableLength() { return this._readable.size; }, readableObjectMode() { return this._readable.object; },
  readableHighWaterMark() { return this._readable.limit; }, readableEncoding() { return this._readable.encoding; },
};
getters(Readable.prototype, readableGetters);
Readable.from = (source, options) => {
  if (typeof source === 'string' || source instanceof Uint8Array) source = [source];
  const iterator = (source[Symbol.asyncIterator] || source[Symbol.iterator]).call(source);
  return new Readable({
    objectMode: true, ...options,
    async read() {
      try {
        const { value, done } = await iterator.next();
        this.push(done ? null : await value);
      } catch (error) { this.destroy(error); }
    },
    destroy(error, done) { Promise.resolve(iterator.return?.()).then(() => done(error), () => done(error)); },
  });
};

function Writable(options = {}) {
  if (!(this instanceof Writable)) return new Writable(options);
  Stream.call(this, options);
  startWritable(this, options);
  begin(this, options);
}
const startWritable = (stream, options) => {
  for (const name of ['write', 'writev', 'final']) if (options[name]) stream[`_${name}`] = options[name];
  stream._writable = { held: [], size: 0, busy: false, ending: false, finished: false, wants: false, encoding: 'utf8', object: !!(options.objectMode || options.writableObjectMode), limit: options.highWaterMark ?? options.writableHighWaterMark ?? (options.objectMode ? 16 : 16384), decode: options.decodeStrings !== false, corked: 0 };
  stream.writable = true;
};
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
Object.defineProperty(Writable, Symbol.hasInstance, { value(value) { return Function.prototype[Symbol.hasInstance].call(this, value) || (this === Writable && value instanceof Stream && !!value._writable); } });
const drain = (stream) => {
  const state = stream._writable;
  if (state.busy || !stream._ready || stream.destroyed || state.corked) return;
  if (state.held.length) {
    const [chunk, encoding, done] = state.held.shift();
    state.busy = true;
    let sync = true;
    const after = (error) => {
      state.busy = false;
      state.size -= size(state, chunk);
      if (error) { done?.(error); stream.destroy(error); return; }
      const go = () => {
        done?.(null);
        if (state.wants && state.size === 0) { state.wants = false; stream.emit('drain'); }
        drain(stream);
      };
      if (sync) process.nextTick(go); else go();
    };
    try { stream._write(chunk, encoding, after); } catch (error) { after(error); }
    sync = false;
    return;
  }
  if (!state.ending || state.finished || state.finishing) return;
  state.finishing = true;
  const finish = (error) => {
    if (error) return void stream.destroy(error);
    state.finished = true;
    stream.writableFinished = true;
    process.nextTick(() => { stream.emit('finish'); settle(stream); });
  };
  if (stream._final) { try { stream._final(finish); } catch (error) { finish(error); } } else finish();
};
const writableMethods = {
  _write(chunk, encoding, done) {
    if (this._writev) return this._writev([{ chunk, encoding }], done);
    throw fail('ERR_METHOD_NOT_IMPLEMENTED', 'The _write() method is not implemented');
  },
  _destroy(error, done) { done(error); },
  destroy,
  write(chunk, encoding, done) {
    const state = this._writable;
    if (typeof encoding === 'function') [encoding, done] = [undefined, encoding];
    if (chunk === null) throw Object.assign(new TypeError('May not write null values to stream'), { code: 'ERR_STREAM_NULL_VALUES' });
    if (!state.object && typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) throw Object.assign(new TypeError(`The "chunk" argument must be of type string or an instance of Buffer or Uint8Array. Received ${globalThis.__inspect.received(chunk)}`), { code: 'ERR_INVALID_ARG_TYPE' });
    if (state.ending || this.destroyed) {
      const error = state.ending ? fail('ERR_STREAM_WRITE_AFTER_END', 'write after end') : fail('ERR_STREAM_DESTROYED', 'Cannot call write after a stream was destroyed');
      process.nextTick(() => done?.(error));
      if (state.ending) this.destroy(error);
      return false;
    }
    if (!state.object && state.decode) { chunk = toBuffer(chunk, encoding); encoding = 'buffer'; }
    state.held.push([chunk, encoding ?? state.encoding, done]);
    state.size += size(state, chunk);
    const more = state.size < state.limit;
    if (!more) state.wants = true;
    drain(this);
    return more;
  },
  end(chunk, encoding, done) {
    const state = this._writable;
    if (typeof chunk === 'function') [chunk, done] = [undefined, chunk];
    if (typeof encoding === 'function') [encoding, done] = [undefined, encoding];
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (done) { if (state.finished) process.nextTick(done); else this.once('finish', done); }
    if (state.ending) return this;
    state.ending = true;
    state.corked = 0;
    this.writable = false;
    this.writableEnded = true;
    drain(this);
    return this;
  },
  cork() { this._writable.corked++; },
  uncork() { const state = this._writable; if (state.corked) state.corked--; drain(this); },
  setDefaultEncoding(encoding) { this._writable.encoding = encoding; return this; },
};
define(Writable.prototype, writableMethods);
const writableGetters = {
  writableLength() { return this._writable.size; }, writableNeedDrain() { return this._writable.wants; }, writableObjectMode() { return this._writable.object; },
  writableHighWaterMark() { return this._writable.limit; }, writableCorked() { return this._writable.corked; },
};
getters(Writable.prototype, writableGetters);

function Duplex(options = {}) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  Stream.call(this, options);
  if (options.read) this._read = options.read;
  this.allowHalfOpen = options.allowHalfOpen !== false;
  startReadable(this, options);
  startWritable(this, options);
  begin(this, options);
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
define(Duplex.prototype, writableMethods);
getters(Duplex.prototype, writableGetters);

function Transform(options = {}) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, options);
  if (options.transform) this._transform = options.transform;
  if (options.flush) this._flush = options.flush;
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);
define(Transform.prototype, {
  _transform() { throw fail('ERR_METHOD_NOT_IMPLEMENTED', 'The _transform() method is not implemented'); },
  // A chunk is taken when there is room for what it becomes.
  _write(chunk, encoding, done) {
    this._transform(chunk, encoding, (error, made) => {
      if (error) return done(error);
      if (made !== undefined && made !== null) this.push(made);
      if (this._readable.size < this._readable.limit) done();
      else this._more = done;
    });
  },
  _read() { const more = this._more; this._more = undefined; more?.(); },
  _final(done) {
    const finish = (error, made) => {
      if (error) return done(error);
      if (made !== undefined && made !== null) this.push(made);
      this.push(null);
      done();
    };
    if (this._flush) this._flush(finish); else finish();
  },
});
function PassThrough(options) { if (!(this instanceof PassThrough)) return new PassThrough(options); Transform.call(this, options); }
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);
define(PassThrough.prototype, { _transform(chunk, encoding, done) { done(null, chunk); } });

const finished = (stream, options, done) => {
  if (typeof options === 'function') done = options;
  let over = false;
  const end = (error) => { if (!over) { over = true; done(error); } };
  const ends = () => (!stream._readable || stream._readable.emitted || options?.readable === false) && (!stream._writable || stream._writable.finished || options?.writable === false);
  const check = () => { if (ends()) end(); };
  stream.on('end', check); stream.on('finish', check); stream.on('error', end);
  stream.on('close', () => end(ends() ? undefined : fail('ERR_STREAM_PREMATURE_CLOSE', 'Premature close')));
  if (stream.errored) process.nextTick(end, stream.errored);
  else if (ends()) process.nextTick(end);
  return () => { over = true; };
};
const asStream = (one, before) => {
  if (one instanceof Stream || typeof one?.on === 'function') return one;
  if (typeof one === 'function') {
    const made = before ? one(before) : one();
    return made?.[Symbol.asyncIterator] || made?.[Symbol.iterator] ? Readable.from(made) : made;
  }
  return Readable.from(one);
};
const pipeline = (...given) => {
  const done = typeof given.at(-1) === 'function' && given.length > 1 && !/^(async )?function\s*\*|^async /.test(Function.prototype.toString.call(given.at(-1))) ? given.pop() : () => {};
  const parts = given.flat();
  if (parts.length > 1 && !(parts.at(-1) instanceof Stream) && typeof parts.at(-1) === 'object' && !parts.at(-1)?.[Symbol.asyncIterator] && typeof parts.at(-1)?.on !== 'function') parts.pop();
  const streams = [];
  let over = false, value;
  const stop = (error) => {
    if (over) return;
    over = true;
    if (error) for (const stream of streams) if (typeof stream.destroy === 'function' && stream !== process.stdout && stream !== process.stderr) { stream.on('error', () => {}); stream.destroy(); }
    done(error, value);
  };
  for (const part of parts) {
    const made = asStream(part, streams.at(-1));
    if (typeof part !== 'function' && streams.length) streams.at(-1).pipe(made);
    if (typeof made?.then === 'function') { made.then((result) => { value = result; stop(); }, stop); continue; }
    streams.push(made);
    made.on('error', stop);
  }
  const last = streams.at(-1);
  if (last === process.stdout || last === process.stderr) streams.at(-2).on('end', () => stop());
  else if (typeof parts.at(-1) !== 'function') finished(last, { readable: false }, stop);
  return last;
};
const promises = {
  pipeline: (...parts) => new Promise((resolve, reject) => { pipeline(...parts, (error, value) => (error ? reject(error) : resolve(value))); }),
  finished: (stream, options = {}) => new Promise((resolve, reject) => { finished(stream, options, (error) => (error ? reject(error) : resolve())); }),
};
const all = async (stream) => { const parts = []; for await (const part of stream) parts.push(Buffer.from(part)); return Buffer.concat(parts); };
const consumers = { buffer: all, text: async (stream) => (await all(stream)).toString(), json: async (stream) => JSON.parse((await all(stream)).toString()), arrayBuffer: async (stream) => new Uint8Array(await all(stream)).buffer };
Readable.toWeb = (stream) => {
  const items = stream[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) { const { value, done } = await items.next(); if (done) controller.close(); else controller.enqueue(Buffer.isBuffer(value) ? new Uint8Array(value) : value); },
    cancel(reason) { stream.destroy(reason); },
  }, { highWaterMark: 0 });
};
Readable.fromWeb = (stream, options) => Readable.from(stream, options);
Writable.toWeb = (stream) => new WritableStream({
  write: (chunk) => new Promise((resolve, reject) => { stream.write(chunk, (error) => (error ? reject(error) : resolve())); }),
  close: () => new Promise((resolve) => { stream.end(resolve); }), abort(reason) { stream.destroy(reason); },
});
Writable.fromWeb = (stream) => {
  const writer = stream.getWriter();
  return new Writable({ objectMode: true, write(chunk, encoding, done) { writer.write(chunk).then(() => done(), done); }, final(done) { writer.close().then(() => done(), done); } });
};
module.exports = Object.assign(Stream, { Stream, Readable, Writable, Duplex, Transform, PassThrough, pipeline, finished, promises, consumers, addAbortSignal: (signal, stream) => { signal.addEventListener('abort', () => stream.destroy(signal.reason)); return stream; } });
