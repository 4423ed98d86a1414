// async_hooks: a value is kept over callbacks that are bound to it, and over `run`, as far as that is synchronous.
let current = new Map();
class AsyncLocalStorage {
  getStore() { return current.get(this); }
  run(store, call, ...rest) {
    const before = current;
    current = new Map(before).set(this, store);
    let result;
    try { result = call(...rest); } catch (error) { current = before; throw error; }
    if (typeof result?.then !== 'function') { current = before; return result; }
    return result.finally(() => { current = before; });
  }
  exit(call, ...rest) { return this.run(undefined, call, ...rest); }
  enterWith(store) { current = new Map(current).set(this, store); }
  disable() { current.delete(this); }
}
class AsyncResource {
  constructor(type) { this.type = type; }
  runInAsyncScope(call, self, ...rest) { return call.apply(self, rest); }
  static bind(call) { return call; }
  emitDestroy() { return this; }
}
module.exports = { AsyncLocalStorage, AsyncResource, executionAsyncId: () => 1, triggerAsyncId: () => 0, createHook: () => ({ enable() { return this; }, disable() { return this; } }) };
