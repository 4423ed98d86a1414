// performance and navigator.
const marks = [];
const entry = (name, entryType, startTime, duration) => { const made = { name, entryType, startTime, duration, detail: null }; marks.push(made); return made; };
const startOf = (name) => marks.findLast((mark) => mark.name === name)?.startTime ?? 0;
exports.performance = {
  timeOrigin: Date.now() - host.now(), now: () => host.now(), mark: (name) => entry(name, 'mark', host.now(), 0),
  measure(name, start, end) { const [from, to] = [start === undefined ? 0 : startOf(start), end === undefined ? host.now() : startOf(end)]; return entry(name, 'measure', from, to - from); },
  getEntries: () => [...marks], getEntriesByName: (name) => marks.filter((mark) => mark.name === name), getEntriesByType: (type) => marks.filter((mark) => mark.entryType === type),
  clearMarks() { marks.length = 0; }, clearMeasures() {}, toJSON() { return { timeOrigin: this.timeOrigin }; }, eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
};
exports.navigator = { userAgent: 'Node.js/20', hardwareConcurrency: 1, language: 'en-US', platform: 'linux' };
