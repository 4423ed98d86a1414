// assert.
const { inspect } = require('util');
const equal = require('_equal');
const READABLE = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:', strictEqual: 'Expected values to be strictly equal:', strictEqualObject: 'Expected "actual" to be reference-equal to "expected":', deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:', notStrictEqual: 'Expected "actual" to be strictly unequal to:', notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:', notIdentical: 'Values have same structure but are not reference-equal:', notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};
const LONG = 50, SHORT = 12, COLLAPSED = 5;
const shown = (value) => inspect(value, { compact: false, customInspect: false, depth: 1000, maxArrayLength: Infinity, showHidden: false, showProxy: false, sorted: true, getters: true, breakLength: Infinity });
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
// What has to be done to the lines of one to get those of the other: +1 and -1 with the line, or 0 where it is in both.
const changes = (one, other) => {
  let head = 0, tail = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head++;
  while (tail < one.length - head && tail < other.length - head && one.at(-1 - tail) === other.at(-1 - tail)) tail++;
  const [left, right] = [one.slice(head, one.length - tail), other.slice(head, other.length - tail)];
  const width = right.length + 1, same = new Uint32Array((left.length + 1) * width);
  for (let at = left.length - 1; at >= 0; at--) for (let to = right.length - 1; to >= 0; to--) same[at * width + to] = left[at] === right[to] ? same[(at + 1) * width + to + 1] + 1 : Math.max(same[(at + 1) * width + to], same[at * width + to + 1]);
  const out = one.slice(0, head).map((line) => [0, line]);
  for (let at = 0, to = 0; at < left.length || to < right.length;) {
    if (at < left.length && to < right.length && left[at] === right[to]) { out.push([0, left[at++]]); to++; }
    else if (at < left.length && (to === right.length || same[(at + 1) * width + to] >= same[at * width + to + 1])) out.push([1, left[at++]]);
    else out.push([-1, right[to++]]);
  }
  return [...out, ...one.slice(one.length - tail).map((line) => [0, line])];
};
const printed = (list) => {
  let text = '', isShort = false, same = [];
  // Of many lines that are the same the first ones and the last.
  const flush = () => {
    const shown = same.length > COLLAPSED ? [...same.slice(0, 2), null, ...same.slice(-2)] : same;
    for (const line of shown) text += line === null ? '...\n' : `  ${line}\n`;
    isShort ||= shown !== same;
    same = [];
  };
  for (const [change, line] of list) {
    if (change === 0) { same.push(line); continue; }
    flush();
    text += `${change > 0 ? '+' : '-'} ${line}\n`;
  }
  flush();
  return [`\n${text.trimEnd()}`, isShort];
};
const simple = (actual, expected, one, other) => {
  const length = one.length + other.length - (typeof actual === 'string' ? 2 : 0) - (typeof expected === 'string' ? 2 : 0);
  if (length <= SHORT) return [`\n${one} !== ${other}\n`, ''];
  let text = `\n+ ${one}\n- ${other}`;
  if (typeof actual === 'string' && typeof expected === 'string' && one.length + other.length <= 80) {
    const at = [...one].findIndex((letter, index) => letter !== other[index]);
    if (at >= 3) text += `\n${' '.repeat(at + 2)}^`;
  }
  return [text, '+ actual - expected'];
};
const difference = (actual, expected, given, message) => {
  let operator = given === 'strictEqual' && ((isObject(actual) && isObject(expected))) ? 'strictEqualObject' : given;
  const [one, other] = [shown(actual), shown(expected)], [lines, others] = [one.split('\n'), other.split('\n')];
  let text, header = '+ actual - expected', isShort = false;
  if (lines.length === 1 && others.length === 1 && !(typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null)) [text, header] = simple(actual, expected, one, other);
  else if (one === other) {
    operator = 'notIdentical';
    isShort = lines.length > LONG;
    text = `\n${isShort ? `${lines.slice(0, LONG).join('\n')}\n...}` : one}\n`;
    header = '';
  } else [text, isShort] = printed(changes(lines, others));
  return `${message || READABLE[operator]}\n${header ? header + (isShort ? ' ... Lines skipped' : '') + '\n' : ''}${text}`;
};
const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 3)}...` : text);
const unequal = (actual, operator) => {
  const lines = shown(actual).split('\n'), base = READABLE[operator === 'notStrictEqual' && isObject(actual) ? 'notStrictEqualObject' : operator];
  if (lines.length > LONG) lines.splice(LONG - 4, Infinity, '...');
  return lines.length === 1 ? `${base}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}` : `${base}\n\n${lines.join('\n')}\n`;
};
const worded = (actual, expected, operator) => {
  if (operator === 'deepStrictEqual' || operator === 'strictEqual') return difference(actual, expected, operator);
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') return unequal(actual, operator);
  const [one, other] = [shown(actual), shown(expected)];
  if (operator === 'notDeepEqual' && one === other) return cut(`${READABLE.notDeepEqual}\n\n${one}`, 1024);
  const [left, right] = [cut(one, 512), cut(other, 512)];
  if (operator === 'deepEqual') return `${READABLE.deepEqual}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  if (operator === 'notDeepEqual') return `${READABLE.notDeepEqualUnequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  return `${left} ${operator} ${right}`;
};
class AssertionError extends Error {
  constructor(options) {
    if (options === null || typeof options !== 'object') throw Object.assign(new TypeError(`The "options" argument must be of type object. Received ${globalThis.__inspect.received(options)}`), { code: 'ERR_INVALID_ARG_TYPE' });
    const { message, actual, expected, operator, stackStartFn } = options;
    const isDifference = operator === 'deepStrictEqual' || operator === 'strictEqual';
    super(message === undefined || message === null ? worded(actual, expected, operator) : isDifference ? difference(actual, expected, operator, String(message)) : String(message));
    Object.defineProperty(this, 'name', { value: 'AssertionError [ERR_ASSERTION]', configurable: true, writable: true });
    this.generatedMessage = !message;
    this.code = 'ERR_ASSERTION';
    Object.assign(this, { actual, expected, operator });
    if (stackStartFn) Error.captureStackTrace(this, stackStartFn);
    else Object.defineProperty(this, 'stack', { value: this.stack, writable: true, configurable: true });
    this.name = 'AssertionError';
  }
  toString() { return `${this.name} [${this.code}]: ${this.message}`; }
}
const check = (holds, actual, expected, operator, message, above, isOwn = message === undefined) => {
  if (holds) return;
  if (message instanceof Error) throw message;
  const error = new AssertionError({ message, actual, expected, operator, stackStartFn: above });
  error.generatedMessage = isOwn;
  throw error;
};
const need = (given, count) => { if (given.length < count) throw Object.assign(new TypeError('The "actual" and "expected" arguments must be specified'), { code: 'ERR_MISSING_ARGS' }); };
const compared = (name, holds, operator = name) => {
  const call = function (actual, expected, message) {
    need(arguments, 2);
    check(holds(actual, expected), actual, expected, operator, message, call);
  };
  return Object.defineProperty(call, 'name', { value: name });
};
const matched = (name, wanted, before) => {
  const call = function (text, pattern, message) {
    if (!(pattern instanceof RegExp)) throw Object.assign(new TypeError(`The "regexp" argument must be an instance of RegExp. Received ${globalThis.__inspect.received(pattern)}`), { code: 'ERR_INVALID_ARG_TYPE' });
    const isText = typeof text === 'string';
    if (isText && pattern.test(text) === wanted) return;
    check(false, text, pattern, name, message ?? (isText ? `The input ${before} the regular expression ${inspect(pattern)}. Input:\n\n${inspect(text)}\n` : `The "string" argument must be of type string. Received ${globalThis.__inspect.received(text)}`), call, message === undefined);
  };
  return Object.defineProperty(call, 'name', { value: name });
};
const truthy = (call) => function (value, message) {
  if (value) return;
  const text = message ?? (arguments.length === 0 ? 'No value argument passed to `assert.ok()`' : 'The expression evaluated to a falsy value');
  check(false, value, true, '==', text, call(), message === undefined || message === null);
};
const assert = truthy(() => assert);
Object.defineProperty(assert, 'name', { value: 'ok' });
// Whether an error is as it should be; fails in other words where it is not.
const expectError = (error, expected, message, operator, above) => {
  if (expected === undefined) return;
  const fail = (text, isOwn = message === undefined) => check(false, error, expected, operator, message ?? text, above, isOwn);
  if (typeof expected === 'object' && expected !== null && !(expected instanceof RegExp)) {
    if (error === null || typeof error !== 'object') return fail(undefined);
    const keys = Object.keys(expected);
    if (expected instanceof Error) keys.push('name', 'message');
    const agrees = (key) => key in error && (expected[key] instanceof RegExp && typeof error[key] === 'string' ? expected[key].test(error[key]) : equal(error[key], expected[key], true));
    if (keys.every(agrees)) return;
    if (message !== undefined) return fail(message);
    class Comparison { constructor(from) { for (const key of keys) if (key in from) this[key] = typeof from[key] === 'string' && expected[key] instanceof RegExp && expected[key].test(from[key]) ? expected[key] : from[key]; } }
    return fail(difference(new Comparison(error), new Comparison(expected), 'deepStrictEqual'), true);
  }
  if (expected instanceof RegExp) {
    if (expected.test(String(error))) return;
    return fail(`The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(String(error))}\n`);
  }
  if (expected.prototype !== undefined && error instanceof expected) return;
  if (Error.isPrototypeOf(expected) || expected === Error) {
    const got = error?.constructor?.name ? `"${error.constructor.name}"` : `"${inspect(error, { depth: -1 })}"`;
    return fail(`The error is expected to be an instance of "${expected.name}". Received ${got}${error instanceof Error ? `\n\nError message:\n\n${error.message}` : ''}`);
  }
  const answer = Reflect.apply(expected, {}, [error]);
  if (answer !== true) fail(`The ${expected.name ? `"${expected.name}" ` : ''}validation function is expected to return "true". Received ${inspect(answer)}${error instanceof Error ? `\n\nCaught error:\n\n${error}` : ''}`);
};
const NONE = {};
const caught = (call) => {
  if (typeof call !== 'function') throw Object.assign(new TypeError(`The "fn" argument must be of type function. Received ${globalThis.__inspect.received(call)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  try { call(); } catch (error) { return error; }
  return NONE;
};
const caughtLater = async (given) => {
  const promise = typeof given === 'function' ? given() : given;
  if (promise === null || typeof promise !== 'object' || typeof promise.then !== 'function') throw Object.assign(new TypeError(`The "promiseFn" argument must be of type function or an instance of Promise. Received ${globalThis.__inspect.received(given)}`), { code: 'ERR_INVALID_ARG_TYPE' });
  try { await promise; } catch (error) { return error; }
  return NONE;
};
const ends = (message) => (message ? `: ${message}` : '.');
const expects = (above, found, given, message) => {
  let expected = given, text = message;
  if (typeof expected === 'string') { text = expected; expected = undefined; }
  const kind = above.name === 'rejects' ? 'rejection' : 'exception';
  if (found === NONE) check(false, undefined, expected, above.name, `Missing expected ${kind}${expected?.name ? ` (${expected.name})` : ''}${ends(text)}`, above, false);
  expectError(found, expected, text, above.name, above);
};
const refuses = (above, found, given, message) => {
  if (found === NONE) return;
  const [expected, text] = typeof given === 'string' ? [undefined, given] : [given, message];
  if (expected !== undefined) { try { expectError(found, expected, undefined, above.name, above); } catch { throw found; } }
  check(false, found, expected, above.name, `Got unwanted ${above.name === 'doesNotReject' ? 'rejection' : 'exception'}${ends(text)}\nActual message: "${found?.message}"`, above, false);
};
Object.assign(assert, {
  AssertionError, ok: truthy(() => assert.ok),
  equal: compared('equal', (left, right) => left == right || (left !== left && right !== right), '=='), notEqual: compared('notEqual', (left, right) => left != right && !(left !== left && right !== right), '!='),
  strictEqual: compared('strictEqual', Object.is), notStrictEqual: compared('notStrictEqual', (left, right) => !Object.is(left, right)),
  deepEqual: compared('deepEqual', (left, right) => equal(left, right, false)), notDeepEqual: compared('notDeepEqual', (left, right) => !equal(left, right, false)),
  deepStrictEqual: compared('deepStrictEqual', (left, right) => equal(left, right, true)), notDeepStrictEqual: compared('notDeepStrictEqual', (left, right) => !equal(left, right, true)),
  match: matched('match', true, 'did not match'), doesNotMatch: matched('doesNotMatch', false, 'was expected to not match'),
  fail(message) {
    if (message instanceof Error) throw message;
    check(false, undefined, undefined, 'fail', message ?? 'Failed', assert.fail, message === undefined);
  },
  throws(call, ...rest) { expects(assert.throws, caught(call), ...rest); },
  doesNotThrow(call, ...rest) { refuses(assert.doesNotThrow, caught(call), ...rest); },
  async rejects(given, ...rest) { expects(assert.rejects, await caughtLater(given), ...rest); },
  async doesNotReject(given, ...rest) { refuses(assert.doesNotReject, await caughtLater(given), ...rest); },
  ifError(value) {
    if (value === null || value === undefined) return;
    const text = typeof value === 'object' && typeof value.message === 'string' ? (value.message.length === 0 && value.constructor ? value.constructor.name : value.message) : inspect(value);
    check(false, value, null, 'ifError', `ifError got unwanted exception: ${text}`, assert.ifError, false);
  },
});
assert.strict = Object.assign((...given) => Reflect.apply(assert, undefined, given), assert, { equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual });
assert.strict.strict = assert.strict;
module.exports = assert;
