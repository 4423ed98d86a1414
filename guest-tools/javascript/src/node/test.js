// node:test, with what it finds written as TAP.
const assert = require('assert');
const { inspect } = require('util');
const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
const began = performance.now();
const pattern = process.env.NODE_TEST_NAME_PATTERN && new RegExp(process.env.NODE_TEST_NAME_PATTERN);

const print = (depth, text) => { for (const line of text.split('\n')) process.stdout.write(line ? `${'    '.repeat(depth)}${line}\n` : '\n'); };
const escaped = (text) => String(text).replace(/\\/g, '\\\\').replace(/#/g, '\\#').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t');
const block = (name, text) => (text.includes('\n') ? `  ${name}: |-\n${text.split('\n').map((line) => `    ${line}`).join('\n')}\n` : `  ${name}: '${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'\n`);
const scalar = (name, value) => (typeof value === 'string' ? block(name, value) : value === undefined ? '' : typeof value === 'object' && value !== null ? block(name, inspect(value)) : `  ${name}: ${String(value)}\n`);
const details = (test) => {
  let text = `  ---\n  duration_ms: ${test.duration.toFixed(6)}\n`;
  if (test.isSuite) text += "  type: 'suite'\n";
  if (test.failure) {
    const { error, type } = test.failure;
    text += block('failureType', type);
    if (error instanceof Error) {
      text += block('error', error.message) + block('code', String(error.code ?? 'ERR_TEST_FAILURE'));
      if (error.code === 'ERR_ASSERTION') text += block('name', 'AssertionError') + scalar('expected', error.expected) + scalar('actual', error.actual) + scalar('operator', error.operator);
      const frames = String(error.stack).split('\n').filter((line) => /^    at /.test(line)).map((line) => line.slice(7)).join('\n');
      if (type === 'testCodeFailure' && frames) text += `  stack: |-\n${frames.split('\n').map((line) => `    ${line}`).join('\n')}\n`;
    } else text += scalar('error', error);
  }
  return `${text}  ...`;
};
const wait = (test, work, timeout) => new Promise((resolve, reject) => {
  test.cancel = reject;
  const timer = timeout === undefined || timeout === Infinity ? undefined : setTimeout(() => reject(Object.assign(new Error(`test timed out after ${timeout}ms`), { failureType: 'testTimeoutFailure', code: 'ERR_TEST_FAILURE' })), timeout);
  Promise.resolve().then(work).then(resolve, reject).finally(() => clearTimeout(timer));
});
// A function that takes one argument more is told when it is over by calling that.
const called = (work, context, taken) => {
  if (typeof work !== 'function') return undefined;
  if (work.length <= taken) return work.call(context, context);
  return new Promise((resolve, reject) => { const done = (error) => (error ? reject(error) : resolve()); if (taken) work.call(context, context, done); else work.call(context, done); });
};
const failureOf = (error) => ({ error, type: error?.failureType ?? 'testCodeFailure' });

class Test {
  constructor(parent, name, options, work, isSuite) {
    Object.assign(this, { parent, name: String(name || work?.name || '<anonymous>'), options, work, isSuite, tests: [], notes: [], hooks: { before: [], after: [], beforeEach: [], afterEach: [] }, depth: parent ? parent.depth + 1 : -1, count: 0, failed: 0, duration: 0, chain: Promise.resolve() });
    this.context = new Context(this);
  }
  get path() { return this.parent?.parent ? `${this.parent.path} ${this.name}` : this.name; }
  add(test) {
    this.tests.push(test);
    test.done = new Promise((resolve) => { test.resolve = resolve; });
    // Those of a suite wait until it is its turn.
    if (!this.isSuite) this.chain = this.chain.then(() => test.run());
    return test.done;
  }
  async each(kind) {
    const lists = [];
    for (let at = this.parent; at; at = at.parent) lists.unshift(at.hooks[kind]);
    if (kind === 'afterEach') lists.reverse();
    for (const hook of lists.flat()) await called(hook, this.context, 1);
  }
  async run() {
    const { options, parent } = this;
    this.isRunning = true;
    if (parent.count === 0 && parent.tests[0] === this) await this.first();
    const start = performance.now();
    const isLeft = (pattern && !this.isSuite && !pattern.test(this.path)) || (parent.tests.some((test) => test.options.only) && !options.only && onlyMarked);
    let skip = options.skip || (isLeft && (onlyMarked ? "'only' option not set" : 'test name does not match pattern'));
    if (!skip) {
      try {
        if (this.isSuite) {
          if (this.broken) throw this.broken.error;
          await this.suite();
        } else {
          await this.each('beforeEach');
          try { await wait(this, () => called(this.work, this.context, 1), options.timeout); await this.chain; } finally { for (const hook of this.hooks.after) await called(hook, this.context, 1); await this.each('afterEach'); }
          if (this.planned !== undefined && this.planned !== this.checked) throw Object.assign(new Error(`plan expected ${this.planned} assertions but received ${this.checked}`), { code: 'ERR_TEST_FAILURE' });
        }
      } catch (error) { this.failure = failureOf(error); }
      skip = this.skipped;
    }
    if (!this.failure && this.failed) this.failure = { type: 'subtestsFailed', error: Object.assign(new Error(`${this.failed} subtest${this.failed === 1 ? '' : 's'} failed`), { code: 'ERR_TEST_FAILURE' }) };
    this.duration = performance.now() - start;
    this.finish(skip);
  }
  async suite() {
    for (const test of this.tests) await test.run();
    for (const hook of this.hooks.after) await called(hook, this.context, 1);
  }
  // Before the first test of a parent: what it prints and runs ahead.
  async first() {
    const { parent } = this;
    if (parent.parent) parent.announce();
    for (const hook of parent.hooks.before) await called(hook, parent.context, 1);
  }
  announce() {
    if (this.announced) return;
    this.announced = true;
    if (this.parent?.parent) this.parent.announce();
    if (this.depth === 0) header();
    print(this.depth, `# Subtest: ${escaped(this.name)}`);
  }
  finish(skip) {
    const { parent, options } = this;
    if (this.ended) return;
    this.ended = true;
    this.announce();
    const isTodo = options.todo || this.todo;
    if (this.count) print(this.depth + 1, `1..${this.count}`);
    const mark = skip ? ` # SKIP${typeof skip === 'string' ? ` ${escaped(skip)}` : ''}` : isTodo ? ` # TODO${typeof isTodo === 'string' ? ` ${escaped(isTodo)}` : ''}` : '';
    const isBad = this.failure && !skip;
    print(this.depth, `${isBad ? 'not ok' : 'ok'} ${++parent.count} - ${escaped(this.name)}${mark}\n${details(this)}`);
    for (const note of this.notes) print(this.depth, `# ${escaped(note)}`);
    if (isBad && !isTodo) parent.failed++;
    if (this.isSuite) counts.suites++;
    else {
      counts.tests++;
      counts[skip ? 'skipped' : isTodo ? 'todo' : !isBad ? 'pass' : this.failure.type === 'cancelledByParent' || this.failure.type === 'testTimeoutFailure' ? 'cancelled' : 'fail']++;
    }
    this.resolve();
  }
}
class Context {
  #test;
  constructor(test) { this.#test = test; this.mock = new Mocks(); this.signal = new AbortController().signal; }
  get name() { return this.#test.name; }
  get fullName() { return this.#test.path.replace(/ /g, ' > '); }
  get assert() {
    const test = this.#test;
    return new Proxy(assert, { get: (target, name) => (typeof target[name] === 'function' ? (...given) => { test.checked = (test.checked ?? 0) + 1; return target[name](...given); } : target[name]) });
  }
  test(...given) { const test = this.#test; test.checked = (test.checked ?? 0) + 1; return register(test, given, false); }
  plan(count) { this.#test.planned = count; this.#test.checked ??= 0; }
  skip(message) { this.#test.skipped = message ?? true; }
  todo(message) { this.#test.todo = message ?? true; }
  diagnostic(message) { this.#test.notes.push(message); }
  before(hook) { this.#test.hooks.before.push(hook); }
  after(hook) { this.#test.hooks.after.push(hook); }
  beforeEach(hook) { this.#test.hooks.beforeEach.push(hook); }
  afterEach(hook) { this.#test.hooks.afterEach.push(hook); }
  runOnly() {}
}

let onlyMarked = Boolean(process.env.NODE_TEST_ONLY), isHeaded = false;
const header = () => { if (!isHeaded) { isHeaded = true; if (!process.env.NODE_TEST_CONTEXT) print(0, 'TAP version 13'); } };
class Mocks {
  #restored = [];
  fn(original = () => {}, implementation = original, options = {}) {
    if (typeof implementation === 'object') [implementation, options] = [original, implementation];
    const calls = [], once = new Map();
    let present = implementation, left = options.times ?? Infinity;
    const mocked = function (...given) {
      const call = { arguments: given, error: undefined, result: undefined, stack: new Error(), target: new.target, this: this };
      const work = once.get(calls.length) ?? (calls.length < left ? present : original);
      once.delete(calls.length);
      try { call.result = new.target ? Reflect.construct(work, given, new.target) : work.apply(this, given); return call.result; } catch (error) { call.error = error; throw error; } finally { calls.push(call); }
    };
    Object.defineProperty(mocked, 'name', { value: original.name, configurable: true });
    mocked.mock = {
      get calls() { return [...calls]; }, callCount: () => calls.length, resetCalls() { calls.length = 0; }, mockImplementation(work) { present = work; },
      mockImplementationOnce(work, at = calls.length) { once.set(at, work); }, restore() { present = original; once.clear(); },
    };
    this.#restored.push(mocked.mock);
    return mocked;
  }
  method(object, name, implementation, options = {}) {
    if (typeof implementation === 'object' && implementation !== null) [implementation, options] = [undefined, implementation];
    let holder = object;
    while (holder && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder);
    const before = holder && Object.getOwnPropertyDescriptor(holder, name);
    const kind = options.getter ? 'get' : options.setter ? 'set' : 'value';
    if (typeof before?.[kind] !== 'function') throw Object.assign(new TypeError(`The argument 'methodName' must be a method. Received ${inspect(before?.[kind])}`), { code: 'ERR_INVALID_ARG_VALUE' });
    const mocked = this.fn(before[kind], implementation ?? before[kind], options);
    Object.defineProperty(object, name, { ...before, [kind]: mocked });
    const { restore } = mocked.mock;
    mocked.mock.restore = () => { restore(); if (holder === object) Object.defineProperty(object, name, before); else delete object[name]; };
    return mocked;
  }
  getter(object, name, implementation, options) { return this.method(object, name, implementation, { ...options, getter: true }); }
  setter(object, name, implementation, options) { return this.method(object, name, implementation, { ...options, setter: true }); }
  restoreAll() { for (const mocked of this.#restored) mocked.restore(); }
  reset() { this.restoreAll(); this.#restored.length = 0; }
  get timers() { throw Object.assign(new Error('mock.timers is not available here'), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }); }
}

const root = new Test(null, '<root>', {}, null, false);
let within = root, isWatched = false;
const watch = () => {
  if (isWatched) return;
  isWatched = true;
  process.on('beforeExit', () => {
    // Nothing is left that could end it.
    const pending = root.tests.find((test) => test.isRunning && !test.ended);
    if (pending) {
      const error = Object.assign(new Error('Promise resolution is still pending but the event loop has already resolved'), { code: 'ERR_TEST_FAILURE', failureType: 'cancelledByParent' });
      const deepest = (test) => { const below = test.tests.find((one) => one.isRunning && !one.ended); return below ? deepest(below) : test; };
      deepest(pending).cancel?.(error);
      setImmediate(() => {});
      return;
    }
    conclude();
  });
  process.on('exit', () => { if (counts.fail || counts.cancelled || root.failed) process.exitCode ||= 1; });
};
let isConcluded = false;
const conclude = () => {
  if (isConcluded) return;
  isConcluded = true;
  header();
  print(0, `1..${root.count}`);
  for (const hook of root.hooks.after) called(hook, root.context, 1);
  for (const [name, count] of Object.entries(counts)) print(0, `# ${name} ${count}`);
  print(0, `# duration_ms ${(performance.now() - began).toFixed(6)}`);
  if (counts.fail || counts.cancelled || root.failed) process.exitCode = 1;
};
const register = (parent, given, isSuite, more) => {
  watch();
  const work = given.find((one) => typeof one === 'function');
  const options = { ...given.find((one) => typeof one === 'object' && one !== null), ...more };
  const test = new Test(parent, typeof given[0] === 'string' ? given[0] : undefined, options, work, isSuite);
  if (options.only) onlyMarked ||= Boolean(process.env.NODE_TEST_ONLY);
  if (isSuite && !options.skip) {
    const before = within;
    within = test;
    try {
      const made = work?.call(test.context, test.context);
      if (typeof made?.then === 'function') made.catch((error) => { test.broken = { error }; });
    } catch (error) { test.broken = { error }; } finally { within = before; }
  }
  return parent.add(test);
};
const kind = (isSuite) => {
  const make = (more) => (...given) => register(within, given, isSuite, more);
  return Object.assign(make(), { skip: make({ skip: true }), todo: make({ todo: true }), only: make({ only: true }) });
};
const hook = (name) => (work) => { watch(); within.hooks[name].push(work); };
const test = kind(false), describe = kind(true);
Object.defineProperty(test, 'name', { value: 'test', configurable: true });
module.exports = Object.assign(test, { test, it: kind(false), describe, suite: describe, before: hook('before'), after: hook('after'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach'), mock: new Mocks(), run() { throw Object.assign(new Error('run() is not available here: use node --test'), { code: 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM' }); } });
