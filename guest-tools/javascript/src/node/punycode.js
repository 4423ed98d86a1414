// punycode: names of hosts in ASCII, as RFC 3492 has it.
const BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, BIAS = 72, FIRST = 128;
const adapt = (given, points, isFirst) => {
  let delta = isFirst ? Math.floor(given / DAMP) : given >> 1, k = 0;
  delta += Math.floor(delta / points);
  for (; delta > ((BASE - TMIN) * TMAX) >> 1; k += BASE) delta = Math.floor(delta / (BASE - TMIN));
  return Math.floor(k + ((BASE - TMIN + 1) * delta) / (delta + SKEW));
};
const threshold = (k, bias) => (k <= bias ? TMIN : k >= bias + TMAX ? TMAX : k - bias);
const digit = (value) => String.fromCharCode(value < 26 ? value + 97 : value + 22);
const ucs2 = { decode: (text) => [...text].map((letter) => letter.codePointAt(0)), encode: (points) => String.fromCodePoint(...points) };
const encode = (text) => {
  const points = ucs2.decode(text), plain = points.filter((point) => point < FIRST);
  let out = String.fromCharCode(...plain), n = FIRST, delta = 0, bias = BIAS, handled = plain.length;
  if (handled) out += '-';
  while (handled < points.length) {
    const next = Math.min(...points.filter((point) => point >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n) delta++;
      if (point !== n) continue;
      let q = delta;
      for (let k = BASE; ; k += BASE) {
        const t = threshold(k, bias);
        if (q < t) break;
        out += digit(t + ((q - t) % (BASE - t)));
        q = Math.floor((q - t) / (BASE - t));
      }
      out += digit(q);
      bias = adapt(delta, handled + 1, handled === plain.length);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return out;
};
const decode = (text) => {
  const last = text.lastIndexOf('-'), out = last > 0 ? ucs2.decode(text.slice(0, last)) : [];
  let n = FIRST, at = 0, bias = BIAS;
  for (let index = last > 0 ? last + 1 : 0; index < text.length;) {
    const before = at;
    for (let weight = 1, k = BASE; ; k += BASE) {
      const code = text.toLowerCase().charCodeAt(index++);
      const value = code >= 97 && code <= 122 ? code - 97 : code >= 48 && code <= 57 ? code - 22 : BASE;
      if (!(value < BASE)) throw new RangeError('Invalid input');
      at += value * weight;
      const t = threshold(k, bias);
      if (value < t) break;
      weight *= BASE - t;
    }
    bias = adapt(at - before, out.length + 1, before === 0);
    n += Math.floor(at / (out.length + 1));
    at %= out.length + 1;
    out.splice(at++, 0, n);
  }
  return ucs2.encode(out);
};
const each = (text, call) => { const parts = text.split('@'), host = parts.pop(); return [...parts, host.replace(/[\u3002\uff0e\uff61]/g, '.').split('.').map(call).join('.')].join('@'); };
module.exports = {
  version: '2.1.0', ucs2, encode, decode,
  toASCII: (text) => each(text, (part) => (/[^\0-\x7f]/.test(part) ? `xn--${encode(part)}` : part)), toUnicode: (text) => each(text, (part) => (/^xn--/.test(part) ? decode(part.slice(4).toLowerCase()) : part)),
};
