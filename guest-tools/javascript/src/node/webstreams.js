// The streams of the web: ReadableStream, WritableStream and TransformStream, with their readers and writers.
const deferred = () => { const made = {}; made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject })); made.promise.catch(() => {}); return made; };
const invalid = (message) => Object.assign(new TypeError(message), { code: 'ERR_INVALID_STATE' });
const highWaterOf = (strategy, usual) => strategy?.highWaterMark ?? usual;
const SECRET = Symbol('state');

class ReadableStreamDefaultController {
  constructor(stream, source, strategy) { Object.defineProperty(this, SECRET, { value: { stream, source, strategy, queue: [], total: 0, isClosing: false, isPulling: false, again: false, isStarted: false } }); }
  get desiredSize() { const own = this[SECRET]; return own.stream[SECRET].state === 'errored' ? null : own.stream[SECRET].state === 'closed' ? 0 : highWaterOf(own.strategy, 1) - own.total; }
  get byobRequest() { return null; }
  enqueue(chunk) {
    const own = this[SECRET], stream = own.stream[SECRET];
    if (own.isClosing || stream.state !== 'readable') throw invalid('Invalid state: Controller is already closed');
    if (stream.waiting.length) stream.waiting.shift().resolve({ value: chunk, done: false });
    else { const size = own.strategy?.size ? own.strategy.size(chunk) : 1; own.queue.push([chunk, size]); own.total += size; }
    pull(this);
  }
  close() {
    const own = this[SECRET];
    if (own.isClosing || own.stream[SECRET].state !== 'readable') throw invalid('Invalid state: Controller is already closed');
    own.isClosing = true;
    if (!own.queue.length) finish(own.stream);
  }
  error(reason) { fail(this[SECRET].stream, reason); }
}
const finish = (stream) => {
  const own = stream[SECRET];
  if (own.state !== 'readable') return;
  own.state = 'closed';
  for (const one of own.waiting.splice(0)) one.resolve({ value: undefined, done: true });
  own.closed.resolve();
};
const fail = (stream, reason) => {
  const own = stream[SECRET];
  if (own.state !== 'readable') return;
  Object.assign(own, { state: 'errored', reason });
  own.controller[SECRET].queue.length = 0;
  for (const one of own.waiting.splice(0)) one.reject(reason);
  own.closed.reject(reason);
};
// Asks the source for more, where there is room or somebody waits.
const pull = (controller) => {
  const own = controller[SECRET], stream = own.stream[SECRET];
  if (!own.isStarted || own.isClosing || stream.state !== 'readable' || typeof own.source.pull !== 'function' || !(stream.waiting.length || controller.desiredSize > 0)) return;
  if (own.isPulling) { own.again = true; return; }
  own.isPulling = true;
  Promise.resolve().then(() => own.source.pull(controller)).then(() => {
    own.isPulling = false;
    if (own.again) { own.again = false; pull(controller); }
  }, (error) => fail(own.stream, error));
};
const take = (stream) => {
  const own = stream[SECRET], { queue } = own.controller[SECRET];
  own.isDisturbed = true;
  if (queue.length) {
    const [value, size] = queue.shift();
    own.controller[SECRET].total -= size;
    if (!queue.length && own.controller[SECRET].isClosing) finish(stream);
    else pull(own.controller);
    return Promise.resolve({ value, done: false });
  }
  if (own.state === 'closed') return Promise.resolve({ value: undefined, done: true });
  if (own.state === 'errored') return Promise.reject(own.reason);
  const waits = deferred();
  own.waiting.push(waits);
  pull(own.controller);
  return waits.promise;
};
const cancel = async (stream, reason) => {
  const own = stream[SECRET];
  own.isDisturbed = true;
  if (own.state === 'closed') return;
  if (own.state === 'errored') throw own.reason;
  own.controller[SECRET].queue.length = 0;
  finish(stream);
  await own.controller[SECRET].source.cancel?.(reason);
};
class ReadableStreamDefaultReader {
  #stream;
  constructor(stream) {
    if (stream.locked) throw invalid('Invalid state: ReadableStream is locked');
    this.#stream = stream;
    stream[SECRET].reader = this;
  }
  #need() { if (!this.#stream) throw invalid('Invalid state: The reader is not attached to a stream'); return this.#stream; }
  async read() { return take(this.#need()); }
  get closed() { return this.#stream ? this.#stream[SECRET].closed.promise : Promise.reject(invalid('Invalid state: Reader released')); }
  async cancel(reason) { return cancel(this.#need(), reason); }
  releaseLock() { if (this.#stream) { this.#stream[SECRET].reader = undefined; this.#stream = undefined; } }
}
class ReadableStream {
  constructor(source = {}, strategy = {}) {
    const own = { state: 'readable', waiting: [], closed: deferred(), reader: undefined };
    Object.defineProperty(this, SECRET, { value: own });
    own.controller = new ReadableStreamDefaultController(this, source, source.type === 'bytes' ? { highWaterMark: 0, ...strategy } : strategy);
    const started = source.start?.(own.controller);
    Promise.resolve(started).then(() => { own.controller[SECRET].isStarted = true; pull(own.controller); }, (error) => fail(this, error));
  }
  static from(given) {
    const items = given[Symbol.asyncIterator]?.() ?? given[Symbol.iterator]();
    return new ReadableStream({
      async pull(controller) { const { value, done } = await items.next(); if (done) controller.close(); else controller.enqueue(await value); },
      async cancel(reason) { await items.return?.(reason); },
    }, { highWaterMark: 0 });
  }
  get locked() { return this[SECRET].reader !== undefined; }
  getReader() { return new ReadableStreamDefaultReader(this); }
  async cancel(reason) { if (this.locked) throw invalid('Invalid state: ReadableStream is locked'); return cancel(this, reason); }
  tee() {
    const reader = this.getReader(), pair = [];
    const made = () => new ReadableStream({
      async pull() {
        const { value, done } = await reader.read();
        for (const one of pair) { if (done) one[SECRET].controller.close(); else one[SECRET].controller.enqueue(value); }
      },
    }, { highWaterMark: 0 });
    pair.push(made(), made());
    return pair;
  }
  async pipeTo(target, { preventClose, preventAbort, preventCancel, signal } = {}) {
    const reader = this.getReader(), writer = target.getWriter();
    try {
      for (;;) {
        signal?.throwIfAborted();
        const { value, done } = await reader.read();
        if (done) break;
        await writer.ready;
        try { await writer.write(value); } catch (error) { if (!preventCancel) await reader.cancel(error).catch(() => {}); throw error; }
      }
      if (!preventClose) await writer.close();
    } catch (error) {
      if (!preventAbort) await writer.abort(error).catch(() => {});
      throw error;
    } finally { reader.releaseLock(); writer.releaseLock(); }
  }
  pipeThrough({ readable, writable }, options) { this.pipeTo(writable, options).catch(() => {}); return readable; }
  async *values({ preventCancel } = {}) {
    const reader = this.getReader();
    let isOver = false;
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) { isOver = true; return; }
        yield value;
      }
    } catch (error) { isOver = true; throw error; } finally {
      if (!isOver && !preventCancel) await reader.cancel();
      reader.releaseLock();
    }
  }
  [Symbol.asyncIterator](options) { return this.values(options); }
}

class WritableStreamDefaultController {
  #abort = new AbortController();
  constructor(stream) { Object.defineProperty(this, SECRET, { value: { stream, abort: this.#abort } }); }
  get signal() { return this.#abort.signal; }
  error(reason) { spoil(this[SECRET].stream, reason); }
}
const spoil = (stream, reason) => {
  const own = stream[SECRET];
  if (own.state === 'closed' || own.state === 'errored') return;
  Object.assign(own, { state: 'errored', reason });
  own.ready.reject(reason);
  own.ready = deferred();
  own.ready.reject(reason);
  own.closed.reject(reason);
};
class WritableStreamDefaultWriter {
  #stream;
  constructor(stream) {
    if (stream.locked) throw invalid('Invalid state: WritableStream is locked');
    this.#stream = stream;
    stream[SECRET].writer = this;
  }
  #own() { if (!this.#stream) throw invalid('Invalid state: Writer is not bound to a WritableStream'); return this.#stream[SECRET]; }
  get closed() { return this.#own().closed.promise; }
  get ready() { return this.#own().ready.promise; }
  get desiredSize() { const own = this.#own(); return own.state === 'errored' ? null : own.state === 'closed' ? 0 : own.most - own.pending; }
  async write(chunk) { return put(this.#own(), this.#stream, chunk); }
  async close() { return shut(this.#own(), this.#stream); }
  async abort(reason) { return this.#own() && stop(this.#stream, reason); }
  releaseLock() { if (this.#stream) { this.#stream[SECRET].writer = undefined; this.#stream = undefined; } }
}
const put = (own, stream, chunk) => {
  if (own.state === 'errored') return Promise.reject(own.reason);
  if (own.state !== 'writable') return Promise.reject(invalid('Invalid state: WritableStream is closed'));
  const size = own.strategy?.size ? own.strategy.size(chunk) : 1;
  own.pending += size;
  if (own.pending >= own.most && !own.isFull) { own.isFull = true; own.ready = deferred(); }
  const done = own.last.then(async () => { if (own.state === 'errored') throw own.reason; await own.sink.write?.(chunk, own.controller); });
  own.last = done.then(() => {
    own.pending -= size;
    if (own.pending < own.most && own.isFull) { own.isFull = false; own.ready.resolve(); }
  }, (error) => spoil(stream, error));
  return done;
};
const shut = async (own, stream) => {
  if (own.state === 'errored') throw own.reason;
  if (own.state !== 'writable') throw invalid('Invalid state: WritableStream is closed');
  own.state = 'closing';
  await own.last;
  if (own.state === 'errored') throw own.reason;
  try { await own.sink.close?.(own.controller); } catch (error) { spoil(stream, error); throw error; }
  own.state = 'closed';
  own.ready.resolve();
  own.closed.resolve();
};
const stop = async (stream, reason) => {
  const own = stream[SECRET];
  if (own.state === 'closed' || own.state === 'errored') return;
  own.controller[SECRET].abort.abort(reason);
  spoil(stream, reason);
  await own.sink.abort?.(reason);
};
class WritableStream {
  constructor(sink = {}, strategy = {}) {
    const own = { state: 'writable', sink, strategy, most: highWaterOf(strategy, 1), pending: 0, isFull: false, ready: deferred(), closed: deferred(), writer: undefined };
    Object.defineProperty(this, SECRET, { value: own });
    own.ready.resolve();
    own.controller = new WritableStreamDefaultController(this);
    const started = sink.start?.(own.controller);
    own.last = Promise.resolve(started).then(() => {}, (error) => spoil(this, error));
  }
  get locked() { return this[SECRET].writer !== undefined; }
  getWriter() { return new WritableStreamDefaultWriter(this); }
  async abort(reason) { if (this.locked) throw invalid('Invalid state: WritableStream is locked'); return stop(this, reason); }
  async close() { if (this.locked) throw invalid('Invalid state: WritableStream is locked'); return shut(this[SECRET], this); }
}

class TransformStreamDefaultController {
  constructor(controller) { Object.defineProperty(this, SECRET, { value: controller }); }
  get desiredSize() { return this[SECRET].desiredSize; }
  enqueue(chunk) { this[SECRET].enqueue(chunk); }
  error(reason) { this[SECRET].error(reason); }
  terminate() { this[SECRET].close(); }
}
class TransformStream {
  constructor(transformer = {}, writing = {}, reading = {}) {
    let controller, room = deferred();
    const readable = new ReadableStream({
      start(inner) { controller = new TransformStreamDefaultController(inner); },
      pull() { room.resolve(); room = deferred(); },
      async cancel(reason) { await transformer.cancel?.(reason); spoil(writable, reason); },
    }, { highWaterMark: 0, ...reading });
    const writable = new WritableStream({
      start: () => transformer.start?.(controller),
      async write(chunk) {
        try {
          if (!(controller.desiredSize > 0) && !readable[SECRET].waiting.length) await room.promise;
          if (transformer.transform) await transformer.transform(chunk, controller);
          else controller.enqueue(chunk);
        } catch (error) { controller.error(error); throw error; }
      },
      async close() {
        try { await transformer.flush?.(controller); } catch (error) { controller.error(error); throw error; }
        if (readable[SECRET].state === 'readable' && !readable[SECRET].controller[SECRET].isClosing) controller.terminate();
      },
      async abort(reason) { await transformer.cancel?.(reason); controller.error(reason); },
    }, writing);
    Object.defineProperty(this, 'readable', { value: readable, enumerable: true });
    Object.defineProperty(this, 'writable', { value: writable, enumerable: true });
  }
}
class Encoder extends TransformStream { constructor() { const text = new TextEncoder(); super({ transform: (chunk, controller) => controller.enqueue(text.encode(String(chunk))) }); this.encoding = 'utf-8'; } }
class Decoder extends TransformStream {
  constructor(label = 'utf-8', options = {}) {
    const text = new TextDecoder(label, options);
    super({
      transform(chunk, controller) { const made = text.decode(chunk, { stream: true }); if (made) controller.enqueue(made); },
      flush(controller) { const made = text.decode(); if (made) controller.enqueue(made); },
    });
    this.encoding = text.encoding;
  }
}
Object.defineProperty(Encoder, 'name', { value: 'TextEncoderStream' });
Object.defineProperty(Decoder, 'name', { value: 'TextDecoderStream' });
class CountQueuingStrategy { constructor({ highWaterMark }) { this.highWaterMark = highWaterMark; } size() { return 1; } }
class ByteLengthQueuingStrategy { constructor({ highWaterMark }) { this.highWaterMark = highWaterMark; } size(chunk) { return chunk.byteLength; } }
class CompressionStream extends TransformStream {
  constructor(format) { super(zipped({ gzip: 'createGzip', deflate: 'createDeflate', 'deflate-raw': 'createDeflateRaw' }, format)); }
}
class DecompressionStream extends TransformStream {
  constructor(format) { super(zipped({ gzip: 'createGunzip', deflate: 'createInflate', 'deflate-raw': 'createInflateRaw' }, format)); }
}
const zipped = (makers, format) => {
  if (!makers[format]) throw Object.assign(new TypeError(`The argument 'format' must be one of: 'deflate', 'deflate-raw', 'gzip'. Received ${globalThis.__inspect.inspect(format)}`), { code: 'ERR_INVALID_ARG_VALUE' });
  const stream = require('zlib')[makers[format]]();
  return {
    start(controller) { stream.on('data', (chunk) => controller.enqueue(new Uint8Array(chunk))); stream.on('error', (error) => controller.error(error)); },
    transform: (chunk) => new Promise((resolve) => { stream.write(Buffer.from(chunk), resolve); }),
    flush: () => new Promise((resolve, reject) => { stream.on('end', resolve).on('error', reject); stream.end(); }),
  };
};
for (const Class of [ReadableStream, WritableStream, TransformStream, ReadableStreamDefaultReader, WritableStreamDefaultWriter]) Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
module.exports = {
  ReadableStream, ReadableStreamDefaultReader, ReadableStreamDefaultController, WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController, TransformStream, TransformStreamDefaultController,
  TextEncoderStream: Encoder, TextDecoderStream: Decoder, CountQueuingStrategy, ByteLengthQueuingStrategy, CompressionStream, DecompressionStream,
};
