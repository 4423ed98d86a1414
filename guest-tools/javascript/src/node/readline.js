// readline: lines of a stream, and questions.
const EventEmitter = require('events');
class Interface extends EventEmitter {
  constructor(input, output, options) {
    super();
    Object.assign(this, { input, output, line: '', closed: false, terminal: false });
    Object.defineProperties(this, { held: { value: [] }, text: { value: '', writable: true }, mark: { value: options.prompt ?? '> ', writable: true }, asked: { value: [] }, paused: { value: false, writable: true } });
    const decoder = new (require('string_decoder').StringDecoder)('utf8');
    this.ondata = (chunk) => this.take(decoder.write(chunk));
    this.onend = () => { this.take(decoder.end()); this.ended = true; this.flush(); };
    input?.on('data', this.ondata);
    input?.on('end', this.onend);
    options.signal?.addEventListener('abort', () => this.close());
  }
  take(text) {
    const lines = (this.text + text).split(/\r\n|\n|\r(?!$)/);
    this.text = lines.pop();
    this.held.push(...lines);
    this.flush();
  }
  flush() {
    while (this.held.length && !this.paused && !this.closed) this.tell(this.held.shift());
    if (!this.ended || this.held.length || this.paused || this.closed) return;
    if (this.text) { const rest = this.text.replace(/\r$/, ''); this.text = ''; this.tell(rest); }
    this.close();
  }
  tell(line) { const done = this.asked.shift(); if (done) done(line); else this.emit('line', line); }
  question(text, options, done = options) {
    this.output?.write(text);
    this.asked.push(done);
    this.resume();
  }
  setPrompt(text) { this.mark = text; }
  getPrompt() { return this.mark; }
  prompt() { this.output?.write(this.mark); this.resume(); }
  write(text) { if (text) this.take(text); }
  pause() { if (!this.paused) { this.paused = true; this.input?.pause?.(); this.emit('pause'); } return this; }
  resume() { if (this.paused) { this.paused = false; this.emit('resume'); process.nextTick(() => this.flush()); } this.input?.resume?.(); return this; }
  close() {
    if (this.closed) return;
    this.closed = true;
    this.input?.off?.('data', this.ondata);
    this.input?.off?.('end', this.onend);
    this.input?.pause?.();
    this.emit('close');
  }
  async *[Symbol.asyncIterator]() {
    const lines = [];
    let wake;
    this.on('line', (line) => { lines.push(line); wake?.(); });
    this.on('close', () => wake?.());
    try {
      for (;;) {
        while (lines.length) yield lines.shift();
        if (this.closed) return;
        await new Promise((resolve) => { wake = resolve; });
      }
    } finally { this.close(); }
  }
  [Symbol.dispose]() { this.close(); }
}
const create = (Kind) => (input, output) => (input && typeof input.on === 'function' ? new Kind(input, output, {}) : new Kind(input?.input, input?.output, input ?? {}));
class Asking extends Interface {
  question(text, options) { return new Promise((resolve, reject) => { options?.signal?.addEventListener('abort', () => reject(options.signal.reason)); super.question(text, resolve); }); }
}
const clear = (stream, ...rest) => { const done = rest.at(-1); if (typeof done === 'function') done(); return true; };
module.exports = { Interface, createInterface: create(Interface), clearLine: clear, cursorTo: clear, moveCursor: clear, clearScreenDown: clear, emitKeypressEvents() {}, promises: { Interface: Asking, createInterface: create(Asking) } };
