// The event loop: ticks, immediates, timers, and sources, which are asked whether something has happened.
(() => {
  'use strict';
  const host = globalThis.__host;
  let next = 1;
  const timers = new Map(), immediates = new Map();
  const ticks = [], sources = new Set();
  class Timeout {
    constructor(id) { this.id = id; }
    ref() { const timer = timers.get(this.id); if (timer) timer.free = false; return this; }
    unref() { const timer = timers.get(this.id); if (timer) timer.free = true; return this; }
    hasRef() { return !timers.get(this.id)?.free; }
    refresh() { const timer = timers.get(this.id); if (timer) timer.due = host.now() + timer.wait; return this; }
    close() { timers.delete(this.id); return this; }
    [Symbol.toPrimitive]() { return this.id; }
  }
  class Immediate {
    constructor(id) { this.id = id; }
    ref() { return this; }
    unref() { const found = immediates.get(this.id); if (found) found.free = true; return this; }
    hasRef() { return !immediates.get(this.id)?.free; }
  }
  const check = (callback) => {
    if (typeof callback === 'function') return;
    const error = new TypeError(`The "callback" argument must be of type function. Received ${globalThis.__inspect.received(callback)}`);
    error.code = 'ERR_INVALID_ARG_TYPE';
    throw error;
  };
  const add = (callback, delay, repeat, rest) => {
    check(callback);
    let wait = Number(delay);
    if (!(wait >= 1 && wait <= 0x7fffffff)) wait = 1;
    wait = Math.trunc(wait);
    timers.set(next, { callback, rest, wait, due: host.now() + wait, repeat });
    return new Timeout(next++);
  };
  const clear = (timer) => {
    if (timer instanceof Immediate) immediates.delete(timer.id);
    else if (timer instanceof Timeout) timers.delete(timer.id);
    else if (timer !== undefined && timer !== null) timers.delete(Number(timer));
  };
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  define('setTimeout', function setTimeout(callback, delay, ...rest) { return add(callback, delay, false, rest); });
  define('setInterval', function setInterval(callback, delay, ...rest) { return add(callback, delay, true, rest); });
  define('setImmediate', function setImmediate(callback, ...rest) {
    check(callback);
    immediates.set(next, { callback, rest });
    return new Immediate(next++);
  });
  define('clearTimeout', function clearTimeout(timer) { clear(timer); });
  define('clearInterval', function clearInterval(timer) { clear(timer); });
  define('clearImmediate', function clearImmediate(timer) { clear(timer); });
  define('queueMicrotask', function queueMicrotask(callback) {
    check(callback);
    Promise.resolve().then(() => { try { callback(); } catch (error) { ticks.unshift([() => { throw error; }, []]); } });
  });

  globalThis.__nextTick = (callback, ...rest) => { check(callback); ticks.push([callback, rest]); };
  // Runs what waits for the present piece of code to end; whether there was something.
  globalThis.__ticks = () => {
    if (!ticks.length) return false;
    while (ticks.length) {
      const [callback, rest] = ticks.shift();
      callback(...rest);
    }
    return true;
  };
  // `poll` returns whether it did something; the program goes on as long as there is a source with `ref`.
  globalThis.__sources = {
    add(source) { source.ref ??= true; sources.add(source); return source; },
    remove(source) { sources.delete(source); },
  };
  const earliest = () => {
    let first = null;
    for (const [id, timer] of timers) if (first === null || timer.due < timers.get(first).due) first = id;
    return first;
  };
  const alive = () => {
    for (const timer of timers.values()) if (!timer.free) return true;
    for (const one of immediates.values()) if (!one.free) return true;
    for (const source of sources) if (source.ref) return true;
    return false;
  };
  const call = (callback, rest) => { callback(...rest); return true; };
  const due = () => {
    const first = earliest();
    if (first === null) return false;
    const timer = timers.get(first);
    if (timer.due > host.now()) return false;
    if (timer.repeat) timer.due = host.now() + timer.wait;
    else timers.delete(first);
    return call(timer.callback, timer.rest);
  };
  let batch = [], phase = 0, pause = 0.02;
  const PHASES = [
    due,
    () => { let busy = false; for (const source of [...sources]) if (sources.has(source) && source.poll()) busy = true; return busy; },
    () => {
      while (batch.length) {
        const id = batch.shift();
        const found = immediates.get(id);
        if (!found) continue;
        immediates.delete(id);
        return call(found.callback, found.rest);
      }
      return false;
    },
  ];
  // Does the next thing, or waits for it; false where there is nothing any more. Each callback is a call of its
  // own, so that promises go on between them.
  globalThis.__tick = () => {
    if (!alive()) return false;
    for (let tried = 0; tried <= PHASES.length; tried++) {
      if (PHASES[phase]()) { pause = 0.02; if (phase === 1) { phase = 2; batch = [...immediates.keys()]; } return true; }
      phase = (phase + 1) % PHASES.length;
      if (phase === 2) batch = [...immediates.keys()];
    }
    if (immediates.size) return true;
    const first = earliest();
    const wait = first === null ? Infinity : timers.get(first).due - host.now();
    const rest = sources.size ? Math.min(wait, pause) : wait;
    pause = Math.min(pause * 1.5, 5);
    if (rest > 0) host.sleep(Math.min(rest, 50));
    return true;
  };
})();
