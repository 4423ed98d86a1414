// process.stdin, process.stdout and process.stderr.
const { Readable, Writable } = require('stream');
const lazy = (name, make) => { let made; Object.defineProperty(exports, name, { get: () => (made ??= make()), enumerable: true }); };

const output = (fd) => {
  const stream = new Writable({
    decodeStrings: false, autoDestroy: false,
    write(chunk, encoding, done) {
      try {
        globalThis.__output(fd, typeof chunk === 'string' ? (encoding && !/^(utf-?8|buffer)$/i.test(encoding) ? Buffer.from(chunk, encoding) : chunk) : chunk);
        done();
      } catch (error) { done(Object.assign(new Error(`write ${error.message}`), { code: error.message, syscall: 'write' })); }
    },
  });
  // What is written is passed on at once.
  const { write } = stream;
  stream.write = function (chunk, encoding, done) {
    const state = this._writable;
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return write.call(this, chunk, encoding, done);
    const callback = typeof encoding === 'function' ? encoding : done;
    let failure = null;
    state.busy = true;
    this._write(chunk, typeof encoding === 'string' ? encoding : undefined, (error) => { failure = error ?? null; });
    state.busy = false;
    if (failure) process.nextTick(() => this.emit('error', failure));
    if (callback) process.nextTick(callback, failure);
    return true;
  };
  const isTTY = host.isTerminal(fd);
  Object.assign(stream, {
    fd, _type: isTTY ? 'tty' : 'pipe', hasColors: () => false, getColorDepth: () => 1, getWindowSize: () => [80, 24],
    clearLine(direction, done) { done?.(); return true; }, cursorTo(x, y, done) { (typeof y === 'function' ? y : done)?.(); return true; }, moveCursor(x, y, done) { done?.(); return true; },
  });
  if (isTTY) Object.assign(stream, { isTTY, columns: 80, rows: 24 });
  return stream;
};
lazy('stdout', () => output(1));
lazy('stderr', () => output(2));
lazy('stdin', () => {
  let source = null;
  const stop = () => { if (source) globalThis.__sources.remove(source); source = null; };
  const stream = new Readable({
    highWaterMark: 65536,
    read() {
      source ??= globalThis.__sources.add({
        ref: stream._held !== false,
        poll() {
          let bytes;
          try { bytes = host.pollInput(65536); } catch (error) { stop(); stream.destroy(error); return true; }
          if (bytes === undefined) return false;
          stop();
          stream.push(bytes.length ? Buffer.from(bytes.buffer) : null);
          return true;
        },
      });
    },
    destroy(error, done) { stop(); done(error); },
  });
  const { pause } = stream;
  stream.pause = function () { stop(); this._readable.reading = false; return pause.call(this); };
  return Object.assign(stream, {
    fd: 0, setRawMode() { return stream; },
    ref() { stream._held = true; if (source) source.ref = true; return stream; },
    unref() { stream._held = false; if (source) source.ref = false; return stream; },
  }, host.isTerminal(0) ? { isTTY: true } : {});
});
