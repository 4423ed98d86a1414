// performance and navigator.
const marks = [], observers = new Set();
class PerformanceEntry { toJSON() { return { ...this }; } }
class PerformanceObserver {
  constructor(call) { this.call = call; }
  observe({ type, entryTypes = [type] }) { this.types = entryTypes; observers.add(this); }
  disconnect() { observers.delete(this); }
  takeRecords() { return []; }
  static supportedEntryTypes = ['mark', 'measure'];
}
const entry = (name, entryType, startTime, duration) => { const made = Object.assign(new PerformanceEntry(), { name, entryType, startTime, duration, detail: null }); marks.push(made); for (const one of observers) if (one.types.includes(entryType)) setImmediate(() => one.call({ getEntries: () => [made], getEntriesByName: (wanted) => (wanted === name ? [made] : []), getEntriesByType: (wanted) => (wanted === entryType ? [made] : []) }, one)); return made; };
const startOf = (name) => marks.findLast((mark) => mark.name === name)?.startTime ?? 0;
exports.performance = {
  timeOrigin: Date.now() - host.now(), now: () => host.now(), mark: (name) => entry(name, 'mark', host.now(), 0),
  measure(name, start, end) { const [from, to] = [start === undefined ? 0 : startOf(start), end === undefined ? host.now() : startOf(end)]; return entry(name, 'measure', from, to - from); },
  getEntries: () => [...marks], getEntriesByName: (name) => marks.filter((mark) => mark.name === name), getEntriesByType: (type) => marks.filter((mark) => mark.entryType === type),
  clearMarks() { marks.length = 0; }, clearMeasures() {}, toJSON() { return { timeOrigin: this.timeOrigin }; }, timerify: (call) => Object.defineProperty((...rest) => call(...rest), 'name', { value: `timerified ${call.name}` }), eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
};
exports.navigator = { userAgent: 'Node.js/20', hardwareConcurrency: 1, language: 'en-US', platform: 'linux' };
Object.assign(exports, { PerformanceObserver, PerformanceEntry });
