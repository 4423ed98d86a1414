// events.
const { inspect } = globalThis.__inspect;
const LISTENERS = Symbol('listeners');
const own = (emitter) => {
  if (!Object.hasOwn(emitter, LISTENERS)) Object.defineProperty(emitter, LISTENERS, { value: new Map(), configurable: true });
  return emitter[LISTENERS];
};
const check = (listener) => {
  if (typeof listener !== 'function') throw Object.assign(new TypeError(`The "listener" argument must be of type function. Received ${globalThis.__inspect.received(listener)}`), { code: 'ERR_INVALID_ARG_TYPE' });
};
const add = (emitter, name, listener, first) => {
  check(listener);
  const all = own(emitter);
  if (all.has('newListener') && all.get('newListener').length) emitter.emit('newListener', name, listener.listener ?? listener);
  const before = all.get(name) || [];
  all.set(name, first ? [listener, ...before] : [...before, listener]);
  return emitter;
};
const wrap = (emitter, name, listener) => {
  check(listener);
  let called = false;
  const wrapped = function (...rest) {
    if (called) return undefined;
    called = true;
    emitter.off(name, wrapped);
    return listener.apply(emitter, rest);
  };
  wrapped.listener = listener;
  return wrapped;
};
function EventEmitter() {}
const methods = {
  on(name, listener) { return add(this, name, listener, false); },
  prependListener(name, listener) { return add(this, name, listener, true); },
  once(name, listener) { return this.on(name, wrap(this, name, listener)); },
  prependOnceListener(name, listener) { return add(this, name, wrap(this, name, listener), true); },
  off(name, listener) {
    const all = own(this), before = all.get(name) || [];
    let at = before.length - 1;
    while (at >= 0 && before[at] !== listener && before[at].listener !== listener) at--;
    if (at < 0) return this;
    if (before.length === 1) all.delete(name);
    else all.set(name, before.filter((_, index) => index !== at));
    if (all.has('removeListener')) this.emit('removeListener', name, listener);
    return this;
  },
  emit(name, ...rest) {
    const listeners = own(this).get(name);
    if (!listeners || listeners.length === 0) {
      if (name !== 'error') return false;
      if (rest[0] instanceof Error) throw rest[0];
      throw Object.assign(new Error(`Unhandled error. (${inspect(rest[0])})`), { code: 'ERR_UNHANDLED_ERROR', context: rest[0] });
    }
    for (const listener of listeners) listener.apply(this, rest);
    return true;
  },
  listeners(name) { return (own(this).get(name) || []).map((listener) => listener.listener ?? listener); },
  rawListeners(name) { return [...(own(this).get(name) || [])]; },
  listenerCount(name) { return (own(this).get(name) || []).length; },
  eventNames() { return [...own(this).keys()]; },
  removeAllListeners(name) { if (name === undefined) own(this).clear(); else own(this).delete(name); return this; },
  setMaxListeners() { return this; },
  getMaxListeners() { return EventEmitter.defaultMaxListeners; },
};
for (const [name, value] of Object.entries(methods)) Object.defineProperty(EventEmitter.prototype, name, { value, writable: true, configurable: true, enumerable: true });
EventEmitter.prototype.addListener = EventEmitter.prototype.on;
EventEmitter.prototype.removeListener = EventEmitter.prototype.off;
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.defaultMaxListeners = 10;
EventEmitter.errorMonitor = Symbol('events.errorMonitor');
EventEmitter.listenerCount = (emitter, name) => emitter.listenerCount(name);
EventEmitter.once = (emitter, name, options) => new Promise((resolve, reject) => {
  if (emitter.addEventListener) return emitter.addEventListener(name, (event) => resolve([event]), { once: true });
  const failed = (error) => { emitter.off(name, done); reject(error); };
  const done = (...rest) => { emitter.off('error', failed); resolve(rest); };
  emitter.once(name, done);
  if (name !== 'error') emitter.once('error', failed);
  options?.signal?.addEventListener('abort', () => { emitter.off(name, done); reject(options.signal.reason); });
});
EventEmitter.on = async function* (emitter, name) {
  const held = [];
  let wake, failure;
  emitter.on(name, (...rest) => { held.push(rest); wake?.(); });
  emitter.on('error', (error) => { failure = error; wake?.(); });
  for (;;) {
    while (held.length) yield held.shift();
    if (failure) throw failure;
    await new Promise((resolve) => { wake = resolve; });
  }
};
module.exports = EventEmitter;
