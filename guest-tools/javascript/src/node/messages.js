// MessageChannel and BroadcastChannel: messages are copies, and come when the present piece of code has ended.
const { structuredClone } = require('_clone');
class MessageEvent extends Event { constructor(type, given = {}) { super(type); this.data = given.data ?? null; this.origin = ''; this.ports = given.ports ?? []; } }
class MessagePort extends EventTarget {
  #other; #waiting = []; #isStarted = false; #isClosed = false; #source; #calls = new Map();
  static _pair() { const [one, other] = [new MessagePort(), new MessagePort()]; one.#other = other; other.#other = one; return [one, other]; }
  #begin() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#source = globalThis.__sources.add({ poll: () => this.#deliver(), ref: true });
  }
  #deliver() {
    if (!this.#waiting.length) return false;
    const { data } = this.#waiting.shift();
    this.dispatchEvent(new MessageEvent('message', { data }));
    return true;
  }
  postMessage(value) { if (!this.#isClosed && this.#other) this.#other.#waiting.push({ data: structuredClone(value) }); }
  start() { this.#begin(); }
  close() {
    if (this.#isClosed) return;
    const other = this.#other;
    for (const port of [this, other]) {
      port.#isClosed = true;
      const end = () => { if (port.#source) globalThis.__sources.remove(port.#source); port.dispatchEvent(new Event('close')); };
      setImmediate(end);
    }
  }
  ref() { if (this.#source) this.#source.ref = true; return this; }
  unref() { if (this.#source) this.#source.ref = false; return this; }
  set onmessage(call) { Object.defineProperty(this, 'onmessage', { value: call, writable: true, configurable: true }); if (call) this.#begin(); }
  addEventListener(type, ...rest) { super.addEventListener(type, ...rest); }
  on(name, call) {
    const wrapped = (event) => call.call(this, event instanceof MessageEvent ? event.data : undefined);
    this.#calls.set(call, wrapped);
    this.addEventListener(name, wrapped);
    if (name === 'message') this.#begin();
    return this;
  }
  once(name, call) { const one = (value) => { this.off(name, one); call.call(this, value); }; this.#calls.set(call, one); return this.on(name, one); }
  off(name, call) { const wrapped = this.#calls.get(call) ?? call; this.removeEventListener(name, wrapped); if (this.#calls.has(wrapped)) this.removeEventListener(name, this.#calls.get(wrapped)); return this; }
  _receive() { return this.#waiting.length ? { message: this.#waiting.shift().data } : undefined; }
}
MessagePort.prototype.addListener = MessagePort.prototype.on;
MessagePort.prototype.removeListener = MessagePort.prototype.off;
class MessageChannel { constructor() { [this.port1, this.port2] = MessagePort._pair(); } }
const channels = new Map();
class BroadcastChannel extends EventTarget {
  constructor(name) { super(); this.name = String(name); this.onmessage = null; channels.set(this.name, [...(channels.get(this.name) ?? []), this]); }
  postMessage(value) { for (const other of channels.get(this.name) ?? []) if (other !== this) { const data = structuredClone(value); setImmediate(() => other.dispatchEvent(new MessageEvent('message', { data }))); } }
  close() { channels.set(this.name, (channels.get(this.name) ?? []).filter((one) => one !== this)); }
  ref() { return this; } unref() { return this; }
}
module.exports = { MessageChannel, MessagePort, MessageEvent, BroadcastChannel, receiveMessageOnPort: (port) => port._receive() };
