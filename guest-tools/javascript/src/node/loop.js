// The event loop: ticks, immediates, timers, and sources, which are asked whether something has happened.
(() => {
  'use strict';
  const host = globalThis.__host;
  let next = 1;
  // Lists, and no maps: the engine cannot bear that one is let go of in the middle of a map.
  let timers = [], immediates = [], sources = [];
  const ticks = [];
  const now = () => host.now();
  class Timeout {
    constructor(timer) { Object.defineProperty(this, 'timer', { value: timer }); }
    ref() { this.timer.free = false; return this; }
    unref() { this.timer.free = true; return this; }
    hasRef() { return !this.timer.free; }
    refresh() { this.timer.due = now() + this.timer.wait; if (!timers.includes(this.timer)) timers.push(this.timer); return this; }
    close() { clear(this); return this; }
    [Symbol.toPrimitive]() { return this.timer.id; }
  }
  class Immediate {
    constructor(one) { Object.defineProperty(this, 'one', { value: one }); }
    ref() { this.one.free = false; return this; }
    unref() { this.one.free = true; return this; }
    hasRef() { return !this.one.free; }
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
    const timer = { id: next++, callback, rest, wait, due: now() + wait, repeat, free: false };
    timers.push(timer);
    return new Timeout(timer);
  };
  const clear = (given) => {
    if (given instanceof Immediate) { given.one.gone = true; immediates = immediates.filter((one) => one !== given.one); }
    else if (given instanceof Timeout) { given.timer.repeat = false; timers = timers.filter((one) => one !== given.timer); }
    else if (given !== undefined && given !== null) timers = timers.filter((one) => one.id !== Number(given));
  };
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  define('setTimeout', function setTimeout(callback, delay, ...rest) { return add(callback, delay, false, rest); });
  define('setInterval', function setInterval(callback, delay, ...rest) { return add(callback, delay, true, rest); });
  define('setImmediate', function setImmediate(callback, ...rest) {
    check(callback);
    const one = { callback, rest, free: false, gone: false };
    immediates.push(one);
    return new Immediate(one);
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
    add(source) { source.ref ??= true; sources.push(source); return source; },
    remove(source) { source.gone = true; sources = sources.filter((one) => one !== source); },
  };
  const earliest = () => timers.reduce((first, timer) => (first === null || timer.due < first.due ? timer : first), null);
  const alive = () => timers.some((timer) => !timer.free) || immediates.some((one) => !one.free) || sources.some((source) => source.ref);
  const call = (callback, rest) => { callback(...rest); return true; };
  const due = () => {
    const first = earliest();
    if (first === null || first.due > now()) return false;
    if (first.repeat) first.due = now() + first.wait;
    else timers = timers.filter((timer) => timer !== first);
    return call(first.callback, first.rest);
  };
  let batch = [], phase = 0, pause = 0.02;
  const PHASES = [
    due,
    () => sources.reduce((busy, source) => (!source.gone && source.poll()) || busy, false),
    () => {
      while (batch.length) {
        const one = batch.shift();
        if (one.gone) continue;
        immediates = immediates.filter((other) => other !== one);
        return call(one.callback, one.rest);
      }
      return false;
    },
  ];
  // Does the next thing, or waits for it; false where there is nothing any more. Each callback is a call of its
  // own, so that promises go on between them.
  globalThis.__tick = () => {
    if (!alive()) return false;
    for (let tried = 0; tried <= PHASES.length; tried++) {
      if (PHASES[phase]()) { pause = 0.02; if (phase === 1) { phase = 2; batch = [...immediates]; } return true; }
      phase = (phase + 1) % PHASES.length;
      if (phase === 2) batch = [...immediates];
    }
    if (immediates.length) return true;
    const first = earliest();
    const wait = first === null ? Infinity : first.due - now();
    const rest = sources.length ? Math.min(wait, pause) : wait;
    pause = Math.min(pause * 1.5, 5);
    if (rest > 0) host.sleep(Math.min(rest, 50));
    return true;
  };
})();
