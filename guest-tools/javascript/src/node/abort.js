// Event, EventTarget, AbortController and DOMException.
class DOMException extends Error {
  constructor(message = '', name = 'Error') { super(message); Object.defineProperty(this, 'name', { value: typeof name === 'object' ? name.name ?? 'Error' : name, configurable: true }); }
  get code() { return { AbortError: 20, TimeoutError: 23, DataCloneError: 25, SyntaxError: 12, NotSupportedError: 9 }[this.name] ?? 0; }
}
class Event {
  constructor(type, { cancelable = false, bubbles = false } = {}) { Object.assign(this, { type: String(type), cancelable, bubbles, defaultPrevented: false, target: null, currentTarget: null, timeStamp: host.now() }); }
  preventDefault() { if (this.cancelable) this.defaultPrevented = true; }
  stopPropagation() {}
  stopImmediatePropagation() { this.stopped = true; }
}
class CustomEvent extends Event { constructor(type, options = {}) { super(type, options); this.detail = options.detail ?? null; } }
class EventTarget {
  #listeners = new Map();
  addEventListener(type, listener, options = {}) {
    if (!listener) return;
    const list = this.#listeners.get(type) || [];
    if (list.some((one) => one.listener === listener)) return;
    this.#listeners.set(type, [...list, { listener, once: !!options.once }]);
  }
  removeEventListener(type, listener) { this.#listeners.set(type, (this.#listeners.get(type) || []).filter((one) => one.listener !== listener)); }
  dispatchEvent(event) {
    event.target = event.currentTarget = this;
    const own = this[`on${event.type}`];
    if (typeof own === 'function') own.call(this, event);
    for (const { listener, once } of this.#listeners.get(event.type) || []) {
      if (event.stopped) break;
      if (once) this.removeEventListener(event.type, listener);
      if (typeof listener === 'function') listener.call(this, event); else listener.handleEvent(event);
    }
    return !event.defaultPrevented;
  }
}
class AbortSignal extends EventTarget {
  constructor() { super(); Object.assign(this, { aborted: false, reason: undefined, onabort: null }); }
  throwIfAborted() { if (this.aborted) throw this.reason; }
  static abort(reason) { const controller = new AbortController(); controller.abort(reason); return controller.signal; }
  static timeout(delay) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delay).unref();
    return controller.signal;
  }
  static any(signals) {
    const controller = new AbortController();
    for (const signal of signals) {
      if (signal.aborted) { controller.abort(signal.reason); break; }
      signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
    }
    return controller.signal;
  }
}
class AbortController {
  constructor() { this.signal = new AbortSignal(); }
  abort(given) {
    if (this.signal.aborted) return;
    const reason = given === undefined ? new DOMException('This operation was aborted', 'AbortError') : given;
    this.signal.aborted = true;
    this.signal.reason = reason;
    this.signal.dispatchEvent(new Event('abort'));
  }
}
module.exports = { DOMException, Event, CustomEvent, EventTarget, AbortSignal, AbortController };
