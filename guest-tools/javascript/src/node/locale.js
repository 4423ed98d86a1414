// Intl, and what toLocaleString and its kind answer: in American English, with the numbers and short dates of some more.
const SPACE = '\u202f', HARD = '\u00a0';
// [groups, decimal point, short dates, clock of 24 hours, first grouped number of digits]
const LOCALES = {
  'en-US': [',', '.', 'm/d/y', false], 'en-GB': [',', '.', 'DD/MM/y', true], 'en-CA': [',', '.', 'y-MM-DD', false], 'en-AU': [',', '.', 'DD/MM/y', false],
  'de-DE': ['.', ',', 'd.m.y', true], 'fr-FR': [SPACE, ',', 'DD/MM/y', true], 'es-ES': ['.', ',', 'd/m/y', true, 5], 'it-IT': ['.', ',', 'd/m/y', true], 'nl-NL': ['.', ',', 'd-m-y', true],
  'pt-BR': ['.', ',', 'DD/MM/y', true], 'sv-SE': [HARD, ',', 'y-MM-DD', true], 'ru-RU': [HARD, ',', 'DD.MM.y', true], 'ja-JP': [',', '.', 'y/m/d', true], 'zh-CN': [',', '.', 'y/m/d', true],
};
const BY_LANGUAGE = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', es: 'es-ES', it: 'it-IT', nl: 'nl-NL', pt: 'pt-BR', sv: 'sv-SE', ru: 'ru-RU', ja: 'ja-JP', zh: 'zh-CN' };
const range = (message) => { throw new RangeError(message); };
const localeOf = (given) => {
  for (const name of given === undefined ? [] : Array.isArray(given) ? given : [given]) {
    if (typeof name !== 'string' && !(name instanceof Locale)) throw new TypeError('Incorrect locale information provided');
    const tag = String(name);
    if (!/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/.test(tag)) range('Incorrect locale information provided');
    const [language] = tag.split('-');
    const found = LOCALES[tag] ? tag : BY_LANGUAGE[language.toLowerCase()];
    if (found) return found;
  }
  return 'en-US';
};
const choice = (options, name, allowed, otherwise) => {
  const value = options?.[name];
  if (value === undefined) return otherwise;
  return allowed.includes(String(value)) ? String(value) : range(`Value ${value} out of range for Intl options property ${name}`);
};
const whole = (options, name, least, most, otherwise) => {
  const value = options?.[name];
  if (value === undefined) return otherwise;
  const number = Math.floor(Number(value));
  return number >= least && number <= most ? number : range(`${name} value is out of range.`);
};
class Locale {
  constructor(tag) { this.baseName = String(tag); [this.language] = this.baseName.split('-'); this.region = /-([A-Z]{2})\b/.exec(this.baseName)?.[1]; }
  toString() { return this.baseName; }
}
const kind = (Class) => {
  Class.supportedLocalesOf = (given) => [given].flat().filter((name) => name !== undefined && (LOCALES[name] || BY_LANGUAGE[String(name).split('-')[0]]));
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: `Intl.${Class.name}`, configurable: true });
  const made = new Proxy(Class, { apply: (target, self, given) => new target(...given) });
  Class.prototype.constructor = made;
  return made;
};

// Decimal digits of a number, and how many of them stand before the point.
const digitsOf = (value) => {
  if (typeof value === 'bigint') { const text = String(value < 0n ? -value : value); return [text, text.length]; }
  const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e');
  const [before, after = ''] = mantissa.split('.');
  const lead = /^0*/.exec(before + after)[0].length, text = (before + after).slice(lead);
  return [text || '0', text ? before.length - lead + Number(exponent) : 1];
};
// These rounded to so many behind the point, halves up.
const rounded = ([text, point], places) => {
  const keep = point + places;
  if (keep < 0) return ['0', 1];
  if (keep >= text.length) return [text, point];
  const up = text[keep] >= '5';
  const kept = text.slice(0, keep);
  if (!up) return [kept || '0', kept ? point : 1];
  const more = String(BigInt(kept || '0') + 1n).padStart(keep, '0');
  return [more, point + more.length - keep];
};
const written = ([text, point], least, integers) => {
  const full = point <= 0 ? '0'.repeat(1 - point) + text : text.padEnd(point, '0');
  const at = Math.max(point, 1);
  return [full.slice(0, at).padStart(integers, '0'), full.slice(at).replace(/0+$/, '').padEnd(least, '0')];
};
const SYMBOLS = { USD: '$', EUR: '€', GBP: '£', JPY: '¥', INR: '₹', CNY: 'CN¥', KRW: '₩', BRL: 'R$', CAD: 'CA$', AUD: 'A$', MXN: 'MX$', NZD: 'NZ$', ILS: '₪', VND: '₫', TWD: 'NT$', HKD: 'HK$' };
const NAMES = { USD: ['US dollar', 'US dollars'], EUR: ['euro', 'euros'], GBP: ['British pound', 'British pounds'], JPY: ['Japanese yen', 'Japanese yen'] };
const UNITS = { percent: '%', kilometer: ' km', meter: ' m', centimeter: ' cm', kilogram: ' kg', gram: ' g', liter: ' L', byte: ' byte', kilobyte: ' kB', megabyte: ' MB', gigabyte: ' GB', celsius: '°C', fahrenheit: '°F', second: ' sec', minute: ' min', hour: ' hr', day: ' day', mile: ' mi', 'kilometer-per-hour': ' km/h', 'mile-per-hour': ' mph' };
const NumberFormat = kind(class NumberFormat {
  #of;
  constructor(locales, options) {
    const style = choice(options, 'style', ['decimal', 'percent', 'currency', 'unit'], 'decimal');
    const currency = options?.currency === undefined ? undefined : String(options.currency).toUpperCase();
    if (style === 'currency' && currency === undefined) throw new TypeError('Currency code is required with currency style.');
    if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) range(`Invalid currency code : ${options.currency}`);
    if (style === 'unit' && options?.unit === undefined) throw new TypeError('Unit is required with unit style.');
    const notation = choice(options, 'notation', ['standard', 'compact', 'scientific', 'engineering'], 'standard');
    const usual = style === 'currency' ? (['JPY', 'KRW', 'VND', 'CLP'].includes(currency) ? 0 : 2) : 0;
    const isCompact = notation === 'compact' && options?.minimumFractionDigits === undefined && options?.maximumFractionDigits === undefined;
    let least = whole(options, 'minimumFractionDigits', 0, 100), most = whole(options, 'maximumFractionDigits', 0, 100);
    if (least !== undefined && most !== undefined && least > most) range('maximumFractionDigits value is out of range.');
    least ??= Math.min(isCompact ? 0 : usual, most ?? 100);
    most ??= Math.max(least, style === 'currency' ? (isCompact ? 0 : usual) : style === 'percent' || isCompact ? 0 : 3);
    this.#of = {
      locale: localeOf(locales), numberingSystem: 'latn', style, currency, currencyDisplay: choice(options, 'currencyDisplay', ['symbol', 'narrowSymbol', 'code', 'name'], 'symbol'), unit: options?.unit, notation, isCompact,
      compactDisplay: choice(options, 'compactDisplay', ['short', 'long'], 'short'), minimumIntegerDigits: whole(options, 'minimumIntegerDigits', 1, 21, 1), minimumFractionDigits: least, maximumFractionDigits: most,
      minimumSignificantDigits: whole(options, 'minimumSignificantDigits', 1, 21), maximumSignificantDigits: whole(options, 'maximumSignificantDigits', 1, 21), unitDisplay: options?.unitDisplay,
      useGrouping: options?.useGrouping ?? true, signDisplay: choice(options, 'signDisplay', ['auto', 'always', 'never', 'exceptZero', 'negative'], 'auto'),
    };
    this.format = this.format.bind(this);
  }
  format(given) { return this.formatToParts(given).map((part) => part.value).join(''); }
  formatToParts(given) {
    const of = this.#of;
    let value = typeof given === 'bigint' ? given : Number(given);
    const [group, decimal, , , from = 4] = LOCALES[of.locale];
    const parts = [];
    const push = (type, text) => { if (text) parts.push({ type, value: text }); };
    let end = '', power = 0;
    if (Number.isNaN(value)) push('nan', 'NaN');
    else if (value === Infinity || value === -Infinity) push('infinity', '∞');
    else {
      let [text, point] = digitsOf(value);
      if (of.style === 'percent' && text !== '0') point += 2;
      const scale = (by) => { power += by; point -= by; };
      const isZero = text === '0';
      const step = { compact: 3, scientific: 1, engineering: 3 }[of.notation];
      if (!isZero && step && (of.notation !== 'compact' || point > 3)) scale(of.notation === 'compact' ? Math.min(Math.floor((point - 1) / 3) * 3, 12) : Math.floor((point - 1) / step) * step);
      const { minimumSignificantDigits: few = 1, maximumSignificantDigits: many } = of;
      const isSignificant = of.minimumSignificantDigits !== undefined || many !== undefined;
      const round = () => rounded([text, point], isSignificant ? (many ?? 21) - point : of.isCompact && point < 2 ? 2 - point : of.maximumFractionDigits);
      let digits = round();
      // What rounds to a thousand is one of the next.
      if (!isZero && step && digits[1] > point && digits[1] > step && (of.notation !== 'compact' || power < 12)) { scale(step); digits = round(); }
      const [integer, fraction] = written(digits, isSignificant ? Math.max(few - digits[1], 0) : of.minimumFractionDigits, of.minimumIntegerDigits);
      const isGrouped = of.useGrouping !== false && of.useGrouping !== 'false' && integer.length >= (of.useGrouping === 'min2' || of.notation === 'compact' ? Math.max(from, 5) : from);
      const groups = isGrouped ? integer.replace(/\B(?=(\d{3})+$)/g, ' ').split(' ') : [integer];
      groups.forEach((one, at) => { if (at) push('group', group); push('integer', one); });
      if (fraction) { push('decimal', decimal); push('fraction', fraction); }
      if (of.notation === 'compact') end = (of.compactDisplay === 'long' ? ['', ' thousand', ' million', ' billion', ' trillion'] : ['', 'K', 'M', 'B', 'T'])[power / 3];
      else if (of.notation !== 'standard') end = `E${power}`;
    }
    if (end) push(of.notation === 'compact' ? 'compact' : 'exponentInteger', end);
    const isZero = parts.every(({ type, value: text }) => (type !== 'integer' && type !== 'fraction') || /^0*$/.test(text)) && Number.isFinite(Number(value));
    const isNegative = value < 0 || Object.is(value, -0);
    const sign = { auto: isNegative ? '-' : '', always: isNegative ? '-' : '+', never: '', exceptZero: isZero || Number.isNaN(value) ? '' : isNegative ? '-' : '+', negative: isNegative && !isZero ? '-' : '' }[of.signDisplay];
    const isFirst = of.locale.startsWith('en') || of.locale === 'ja-JP' || of.locale === 'zh-CN' || of.locale === 'pt-BR';
    if (of.style === 'currency') {
      const one = parts.length === 1 && parts[0].value === '1';
      const symbol = of.currencyDisplay === 'symbol' || of.currencyDisplay === 'narrowSymbol' ? SYMBOLS[of.currency] ?? of.currency : of.currency;
      const shown = of.currencyDisplay === 'narrowSymbol' ? symbol.replace(/^[A-Z]+(?=[^A-Z])/, '') : symbol;
      if (of.currencyDisplay === 'name') { push('literal', ' '); push('currency', NAMES[of.currency]?.[one ? 0 : 1] ?? of.currency); }
      else if (isFirst) parts.unshift({ type: 'currency', value: shown }, ...((/[A-Z]$/.test(shown) && parts[0].type === 'integer') || of.locale === 'pt-BR' ? [{ type: 'literal', value: HARD }] : []));
      else { push('literal', HARD); push('currency', shown); }
    } else if (of.style === 'percent') { if (!of.locale.startsWith('en') && ['de-DE', 'fr-FR', 'es-ES', 'sv-SE', 'ru-RU'].includes(of.locale)) push('literal', HARD); push('percentSign', '%'); }
    else if (of.style === 'unit') {
      const name = String(of.unit), isOne = parts.length === 1 && parts[0].value === '1';
      push('unit', of.unitDisplay === 'long' ? ` ${name}${isOne ? '' : 's'}` : (UNITS[name] ?? ` ${name}`) + (name === 'day' && !isOne ? 's' : ''));
    }
    if (sign) parts.unshift({ type: sign === '-' ? 'minusSign' : 'plusSign', value: sign === '-' && of.locale === 'sv-SE' ? '\u2212' : sign });
    return parts;
  }
  resolvedOptions() { const { isCompact, ...rest } = this.#of; return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)); }
});

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
// Minutes that a zone is ahead of UTC, and its names.
const offsetIn = (zone, time) => {
  const told = host.zone(zone, time);
  if (told === undefined) range(`Invalid time zone specified: ${zone}`);
  const [seconds, long, short] = told.split('\n');
  return [Number(seconds) / 60, long, short];
};
const local = () => process.env.TZ?.replace(/^:/, '') || 'UTC';
const two = (number) => String(number).padStart(2, '0');
const DATE = ['weekday', 'year', 'month', 'day'], TIME = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits'];
const DateTimeFormat = kind(class DateTimeFormat {
  #of;
  constructor(locales, options, usual = 'date') {
    const { dateStyle, timeStyle } = options ?? {};
    const of = { locale: localeOf(locales), calendar: 'gregory', numberingSystem: 'latn', timeZone: options?.timeZone === undefined ? local() : String(options.timeZone) };
    const isAny = [...DATE, ...TIME].some((name) => options?.[name] !== undefined);
    if ((dateStyle ?? timeStyle) !== undefined) {
      const bad = usual === 'day' ? 'timeStyle' : usual === 'time' ? 'dateStyle' : undefined;
      if (bad && options[bad] !== undefined) throw new TypeError(`Invalid option : ${bad}`);
      if (isAny) throw new TypeError(`Can't set option ${[...DATE, ...TIME].find((name) => options[name] !== undefined)} when ${dateStyle === undefined ? 'timeStyle' : 'dateStyle'} is used`);
      of.dateStyle = choice(options, 'dateStyle', ['full', 'long', 'medium', 'short']);
      of.timeStyle = choice(options, 'timeStyle', ['full', 'long', 'medium', 'short']);
      if (dateStyle !== undefined) Object.assign(of, { full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, long: { year: 'numeric', month: 'long', day: 'numeric' }, medium: { year: 'numeric', month: 'short', day: 'numeric' }, short: { year: '2-digit', month: 'numeric', day: 'numeric' } }[of.dateStyle]);
      if (timeStyle !== undefined) Object.assign(of, { hour: 'numeric', minute: '2-digit' }, timeStyle === 'short' ? {} : { second: '2-digit' }, timeStyle === 'long' ? { timeZoneName: 'short' } : timeStyle === 'full' ? { timeZoneName: 'long' } : {});
    } else {
      for (const name of ['weekday', 'month']) if (options?.[name] !== undefined) of[name] = choice(options, name, ['long', 'short', 'narrow', ...(name === 'month' ? ['numeric', '2-digit'] : [])]);
      for (const name of ['year', 'day', 'hour', 'minute', 'second']) if (options?.[name] !== undefined) of[name] = choice(options, name, ['numeric', '2-digit']);
      if (options?.fractionalSecondDigits !== undefined) of.fractionalSecondDigits = whole(options, 'fractionalSecondDigits', 1, 3);
      const has = (names) => names.some((name) => of[name] !== undefined);
      if (usual === 'day' ? !has(DATE) : usual === 'time' ? !has(TIME) : !has(DATE) && !has(TIME)) {
        if (usual !== 'time') Object.assign(of, { year: 'numeric', month: 'numeric', day: 'numeric' });
        if (usual === 'any' || usual === 'time') Object.assign(of, { hour: 'numeric', minute: '2-digit', second: '2-digit' });
      }
    }
    if (options?.timeZoneName !== undefined) of.timeZoneName = choice(options, 'timeZoneName', ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric']);
    if (of.hour !== undefined) {
      const { hour12, hourCycle } = options ?? {};
      of.hourCycle = hour12 !== undefined ? (hour12 ? 'h12' : of.locale === 'en-US' ? 'h24' : 'h23') : hourCycle ?? (LOCALES[of.locale][3] ? 'h23' : 'h12');
      of.hour12 = of.hourCycle === 'h12' || of.hourCycle === 'h11';
    }
    if (!/^(UTC|GMT|Etc\/UTC|[+-]\d\d:?\d\d)$/i.test(of.timeZone)) offsetIn(of.timeZone, 0);
    else if (/^(gmt|etc\/utc|utc)$/i.test(of.timeZone)) of.timeZone = 'UTC';
    this.#of = of;
    this.format = this.format.bind(this);
  }
  format(date) { return this.formatToParts(date).map((part) => part.value).join(''); }
  formatToParts(date) {
    const of = this.#of, time = date === undefined ? Date.now() : Number(date);
    if (Number.isNaN(time) || Math.abs(time) > 8.64e15) range('Invalid time value');
    const fixed = /^([+-])(\d\d):?(\d\d)$/.exec(of.timeZone);
    const [ahead, long, name] = fixed ? [(fixed[1] === '-' ? -1 : 1) * (fixed[2] * 60 + Number(fixed[3]))] : offsetIn(of.timeZone, time);
    const at = new Date(time + ahead * 6e4);
    const parts = [];
    const push = (type, value) => parts.push({ type, value: String(value) });
    const text = (value) => { if (parts.length && value) push('literal', value); };
    const { weekday, year, month, day, hour, minute, second } = of;
    const years = year === '2-digit' ? two(at.getUTCFullYear() % 100) : at.getUTCFullYear();
    const short = (names, index, style) => (style === 'long' ? names[index] : style === 'short' ? names[index].slice(0, 3) : names[index][0]);
    if (weekday) push('weekday', short(DAYS, at.getUTCDay(), weekday));
    const isWord = month && !['numeric', '2-digit'].includes(month);
    if (isWord) {
      const named = ['month', short(MONTHS, at.getUTCMonth(), month)], dayed = day && ['day', day === '2-digit' ? two(at.getUTCDate()) : at.getUTCDate()];
      const isDayFirst = of.locale === 'en-GB' || of.locale === 'en-AU';
      text(isDayFirst && !(weekday && of.dateStyle === undefined) ? ' ' : ', ');
      if (isDayFirst && dayed) { push(...dayed); push('literal', ' '); }
      push(...named);
      if (!isDayFirst && dayed) { push('literal', ' '); push(...dayed); }
      if (year) { push('literal', dayed && !isDayFirst ? ', ' : ' '); push('year', years); }
    } else if (month || year || day) {
      text(', ');
      const pattern = LOCALES[of.locale][2], mark = /[^A-Za-z]/.exec(pattern)[0];
      const fields = { m: month && ['month', at.getUTCMonth() + 1, month], d: day && ['day', at.getUTCDate(), day], y: year && ['year', years, ''] };
      let isFirst = true;
      for (const part of pattern.split(mark)) {
        const [type, value, style] = fields[part[0].toLowerCase()] || [];
        if (type === undefined) continue;
        if (!isFirst) push('literal', mark);
        isFirst = false;
        push(type, type !== 'year' && (style === '2-digit' || part.length === 2) ? two(value) : value);
      }
    }
    if (hour !== undefined || minute !== undefined || second !== undefined || of.fractionalSecondDigits !== undefined) {
      text(isWord && (month === 'long' || of.dateStyle === 'full' || of.dateStyle === 'long') ? (of.locale === 'en-US' || of.dateStyle ? ' at ' : ', ') : weekday && !month && !year && !day ? ' ' : of.locale.startsWith('en') || ['de-DE', 'es-ES', 'it-IT', 'nl-NL', 'pt-BR', 'ru-RU'].includes(of.locale) ? ', ' : ' ');
      const hours = at.getUTCHours();
      if (hour !== undefined) {
        const shown = of.hourCycle === 'h12' ? hours % 12 || 12 : of.hourCycle === 'h11' ? hours % 12 : of.hourCycle === 'h24' ? hours || 24 : hours;
        push('hour', hour === '2-digit' || !of.hour12 ? two(shown) : shown);
      }
      if (minute !== undefined) { if (hour !== undefined) push('literal', ':'); push('minute', hour !== undefined || second !== undefined || minute === '2-digit' ? (hour === undefined && second === undefined ? at.getUTCMinutes() : two(at.getUTCMinutes())) : at.getUTCMinutes()); }
      if (second !== undefined) { if (minute !== undefined) push('literal', ':'); push('second', minute !== undefined ? two(at.getUTCSeconds()) : at.getUTCSeconds()); }
      if (of.fractionalSecondDigits !== undefined) { if (second !== undefined) push('literal', '.'); push('fractionalSecond', String(at.getUTCMilliseconds()).padStart(3, '0').slice(0, of.fractionalSecondDigits)); }
      if (of.hour12) { push('literal', ' '); const period = hours < 12 ? 'AM' : 'PM'; push('dayPeriod', of.locale === 'en-US' ? period : of.locale === 'en-CA' ? `${period[0].toLowerCase()}.m.` : period.toLowerCase()); }
    }
    if (of.timeZoneName) {
      text(parts.some(({ type }) => TIME.includes(type)) ? ' ' : ', ');
      const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
      const offset = `GMT${ahead ? (ahead < 0 ? '-' : '+') + (of.timeZoneName === 'longOffset' ? `${two(hours)}:${two(minutes)}` : hours + (minutes ? `:${two(minutes)}` : '')) : ''}`;
      push('timeZoneName', (of.timeZoneName.startsWith('long') ? of.timeZoneName !== 'longOffset' && long : of.timeZoneName !== 'shortOffset' && name) || offset);
    }
    return parts;
  }
  formatRange(from, to) { const [a, b] = [this.format(from), this.format(to)]; return a === b ? a : `${a}\u2009–\u2009${b}`; }
  resolvedOptions() { return { ...this.#of }; }
});

// The place of a letter in the order of a dictionary: spaces, punctuation, symbols, digits, letters.
const rank = (letter) => (/\s/.test(letter) ? 0 : /[_\-,;:!?.'"()[\]{}@*/\\&#%]/.test(letter) ? 1 : /\p{N}/u.test(letter) ? 3 : /\p{L}/u.test(letter) ? 4 : 2);
const ORDER = '_-,;:!?.\'"()[]{}@*/\\&#%';
const base = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ß/g, 'ss').replace(/æ/g, 'ae').replace(/ø/g, 'o');
const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const plainly = (a, b, isNumeric) => {
  const split = (text) => (isNumeric ? text.match(/\d+|[^\d]/gu) ?? [] : [...text]);
  const [one, other] = [split(a), split(b)];
  for (let at = 0; at < Math.min(one.length, other.length); at++) {
    const [x, y] = [one[at], other[at]];
    if (x === y) continue;
    const ranks = rank(x) - rank(y);
    const found = ranks || (isNumeric && rank(x) === 3 ? order(BigInt(x), BigInt(y)) : rank(x) === 1 ? ORDER.indexOf(x) - ORDER.indexOf(y) : order(x, y));
    if (found) return found < 0 ? -1 : 1;
  }
  return order(one.length, other.length);
};
const Collator = kind(class Collator {
  #of;
  constructor(locales, options) {
    this.#of = { locale: localeOf(locales), usage: choice(options, 'usage', ['sort', 'search'], 'sort'), sensitivity: choice(options, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant'), ignorePunctuation: options?.ignorePunctuation === true, collation: 'default', numeric: options?.numeric === true, caseFirst: choice(options, 'caseFirst', ['upper', 'lower', 'false'], 'false') };
    this.compare = (a, b) => {
      const { sensitivity, numeric, caseFirst } = this.#of;
      const clean = (text) => (this.#of.ignorePunctuation ? String(text).replace(/[\s\p{P}]/gu, '') : String(text));
      const [x, y] = [clean(a), clean(b)];
      if (x === y) return 0;
      const found = plainly(base(x), base(y), numeric);
      if (found || sensitivity === 'base') return found;
      const marks = (text) => text.normalize('NFD').replace(/[^\p{M}]/gu, (letter) => (letter === 'ß' || letter === 'æ' || letter === 'ø' ? '\u0300' : '')).length ? text.normalize('NFD').toLowerCase() : text.toLowerCase();
      const accents = sensitivity === 'case' ? 0 : order(marks(x), marks(y));
      if (accents || sensitivity === 'accent') return accents;
      // The small letter comes first.
      const [m, n] = [x.normalize('NFD'), y.normalize('NFD')];
      for (let at = 0; at < Math.min(m.length, n.length); at++) if (m[at] !== n[at]) return (m[at] === m[at].toLowerCase() ? -1 : 1) * (caseFirst === 'upper' ? -1 : 1);
      return order(m, n);
    };
  }
  resolvedOptions() { return { ...this.#of }; }
});
const PluralRules = kind(class PluralRules {
  #of;
  constructor(locales, options) { this.#of = { locale: localeOf(locales), type: choice(options, 'type', ['cardinal', 'ordinal'], 'cardinal') }; }
  select(value) {
    const number = Math.abs(Number(value));
    if (this.#of.type === 'cardinal') return number === 1 ? 'one' : 'other';
    const [ten, hundred] = [number % 10, number % 100];
    return ten === 1 && hundred !== 11 ? 'one' : ten === 2 && hundred !== 12 ? 'two' : ten === 3 && hundred !== 13 ? 'few' : 'other';
  }
  resolvedOptions() { return { ...this.#of, pluralCategories: this.#of.type === 'cardinal' ? ['one', 'other'] : ['few', 'one', 'two', 'other'] }; }
});
const ListFormat = kind(class ListFormat {
  #of;
  constructor(locales, options) { this.#of = { locale: localeOf(locales), type: choice(options, 'type', ['conjunction', 'disjunction', 'unit'], 'conjunction'), style: choice(options, 'style', ['long', 'short', 'narrow'], 'long') }; }
  format(list) {
    const items = [...list], { type, style } = this.#of;
    const word = type === 'disjunction' ? 'or' : type === 'unit' ? '' : style === 'long' ? 'and' : style === 'short' ? '&' : '';
    if (items.length < 2) return items.join('');
    const between = type === 'unit' && style === 'narrow' ? ' ' : ', ';
    if (items.length === 2) return items.join(word ? ` ${word} ` : between);
    return `${items.slice(0, -1).join(between)}${between}${word ? `${word} ` : ''}${items.at(-1)}`;
  }
  resolvedOptions() { return { ...this.#of }; }
});
const RelativeTimeFormat = kind(class RelativeTimeFormat {
  #of;
  constructor(locales, options) { this.#of = { locale: localeOf(locales), style: choice(options, 'style', ['long', 'short', 'narrow'], 'long'), numeric: choice(options, 'numeric', ['always', 'auto'], 'always') }; }
  format(value, given) {
    const unit = String(given).replace(/s$/, '');
    if (!['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'].includes(unit)) range(`Invalid unit argument for Intl.RelativeTimeFormat.prototype.format() '${given}'`);
    const number = Number(value), isPast = number < 0 || Object.is(number, -0);
    if (this.#of.numeric === 'auto') {
      const words = { day: ['yesterday', 'today', 'tomorrow'], second: [, 'now'] }[unit] ?? [`last ${unit}`, `this ${unit}`, `next ${unit}`];
      const word = (number === 0 || Math.abs(number) === 1) && words[number + 1];
      if (word && !(number !== 0 && ['second', 'minute', 'hour'].includes(unit))) return word;
    }
    const amount = Math.abs(number);
    const named = { long: unit, short: { second: 'sec.', minute: 'min.', hour: 'hr.', day: 'day', week: 'wk.', month: 'mo.', quarter: 'qtr.', year: 'yr.' }[unit], narrow: { second: 's', minute: 'min', hour: 'h', day: 'd', week: 'w', month: 'mo', quarter: 'q', year: 'y' }[unit] }[this.#of.style];
    const many = amount !== 1 && this.#of.style !== 'narrow' && (this.#of.style === 'long' || unit === 'day') ? 's' : amount !== 1 && this.#of.style === 'short' && unit === 'quarter' ? '' : '';
    const shown = `${new NumberFormat(this.#of.locale).format(amount)}${this.#of.style === 'narrow' ? '' : ' '}${named}${many}`;
    return isPast ? `${shown} ago` : `in ${shown}`;
  }
  resolvedOptions() { return { ...this.#of }; }
});

exports.Intl = { Collator, DateTimeFormat, ListFormat, Locale, NumberFormat, PluralRules, RelativeTimeFormat, getCanonicalLocales: (given) => [given].flat().filter((name) => name !== undefined).map(String), supportedValuesOf: () => [] };
Object.defineProperty(exports.Intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
let plain;
exports.compare = (a, b, locales, options) => (locales === undefined && options === undefined ? (plain ??= new Collator()) : new Collator(locales, options)).compare(a, b);
exports.number = (value, locales, options) => new NumberFormat(locales, options).format(value);
exports.date = (value, locales, options, usual) => (Number.isNaN(Number(value)) ? 'Invalid Date' : new DateTimeFormat(locales, options, usual).format(value));
