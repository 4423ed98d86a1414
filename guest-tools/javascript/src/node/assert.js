// assert.
const { inspect } = require('util');
const equal = require('_equal');
class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message);
    Object.assign(this, { code: 'ERR_ASSERTION', actual, expected, operator });
    Object.defineProperty(this, 'name', { value: 'AssertionError', configurable: true });
  }
}
const check = (holds, actual, expected, operator, message) => {
  if (holds) return;
  if (message instanceof Error) throw message;
  throw new AssertionError({ message: message ?? `Expected ${inspect(actual)} ${operator} ${inspect(expected)}`, actual, expected, operator });
};
const matches = (error, expected) => {
  if (expected === undefined || typeof expected === 'string') return true;
  if (expected instanceof RegExp) return expected.test(String(error));
  if (typeof expected === 'function') return expected.prototype !== undefined && error instanceof expected ? true : Error.isPrototypeOf(expected) ? false : expected(error) === true;
  return Object.keys(expected).every((key) => (expected[key] instanceof RegExp ? expected[key].test(error[key]) : equal(error[key], expected[key], true)));
};
const assert = (value, message) => check(value, value, true, '==', message ?? (value === undefined ? 'No value argument passed to `assert.ok()`' : 'The expression evaluated to a falsy value'));
Object.assign(assert, {
  AssertionError, ok: assert,
  equal: (left, right, message) => check(left == right, left, right, '==', message),
  notEqual: (left, right, message) => check(left != right, left, right, '!=', message),
  strictEqual: (left, right, message) => check(Object.is(left, right), left, right, 'strictEqual', message ?? `Expected values to be strictly equal:\n\n${inspect(left)} !== ${inspect(right)}\n`),
  notStrictEqual: (left, right, message) => check(!Object.is(left, right), left, right, 'notStrictEqual', message),
  deepEqual: (left, right, message) => check(equal(left, right, false), left, right, 'deepEqual', message),
  notDeepEqual: (left, right, message) => check(!equal(left, right, false), left, right, 'notDeepEqual', message),
  deepStrictEqual: (left, right, message) => check(equal(left, right, true), left, right, 'deepStrictEqual', message),
  notDeepStrictEqual: (left, right, message) => check(!equal(left, right, true), left, right, 'notDeepStrictEqual', message),
  match: (text, pattern, message) => check(pattern.test(text), text, pattern, 'match', message),
  doesNotMatch: (text, pattern, message) => check(!pattern.test(text), text, pattern, 'doesNotMatch', message),
  fail: (message = 'Failed') => check(false, undefined, undefined, 'fail', message),
  throws(call, expected, message) {
    try { call(); } catch (error) { if (matches(error, expected)) return; throw error; }
    check(false, undefined, expected, 'throws', message ?? 'Missing expected exception.');
  },
  doesNotThrow: (call) => { call(); },
  rejects: async (promise, expected) => {
    try { await (typeof promise === 'function' ? promise() : promise); } catch (error) { if (matches(error, expected)) return; throw error; }
    check(false, undefined, expected, 'rejects', 'Missing expected rejection.');
  },
});
assert.strict = Object.assign((value, message) => assert(value, message), assert, { equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual });
assert.strict.strict = assert.strict;
assert.ifError = (value) => { if (value !== null && value !== undefined) throw value; };
module.exports = assert;
