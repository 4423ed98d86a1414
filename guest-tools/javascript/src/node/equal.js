// Whether two values have the same content.
const equal = (left, right, strict, seen = []) => {
  if (strict ? Object.is(left, right) : left == right || (left !== left && right !== right)) return true;
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object') return false;
  if (strict && Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (seen.some(([one, two]) => one === left && two === right)) return true;
  seen = [...seen, [left, right]];
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime();
  if (left instanceof RegExp && right instanceof RegExp) return String(left) === String(right);
  if (left instanceof Error && (left.message !== right.message || left.name !== right.name)) return false;
  if (left instanceof Set) return right instanceof Set && left.size === right.size && [...left].every((item) => right.has(item) || [...right].some((other) => equal(item, other, strict, seen)));
  if (left instanceof Map) return right instanceof Map && left.size === right.size && [...left].every(([key, item]) => right.has(key) && equal(item, right.get(key), strict, seen));
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.prototype.hasOwnProperty.call(right, key) && equal(left[key], right[key], strict, seen));
};
module.exports = equal;
