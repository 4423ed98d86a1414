// The order of ticks, promises, immediates and timers. No line depends on how long another one takes.
console.log('start');
setTimeout(() => { console.log('timeout 1'); process.nextTick(() => console.log('tick in timeout')); Promise.resolve().then(() => console.log('promise in timeout')); }, 1);
setTimeout(() => console.log('timeout 1 again'), 1);
process.nextTick(() => { console.log('tick'); process.nextTick(() => console.log('tick in tick')); });
Promise.resolve().then(() => { console.log('promise'); process.nextTick(() => console.log('tick in promise')); }).then(() => console.log('promise 2'));
queueMicrotask(() => console.log('microtask'));
const cleared = setTimeout(() => console.log('never'), 1);
clearTimeout(cleared);
setTimeout(() => console.log('unref, never'), 5000).unref();
process.on('beforeExit', () => { if (!process.seen) { process.seen = true; setTimeout(() => console.log('after beforeExit'), 1); } });
process.on('exit', (code) => console.log('exit', code));
process.once('uncaughtException', (error) => { console.log('caught', error.message); setTimeout(reject, 1); });
process.once('unhandledRejection', (error) => { console.log('rejected', error.message); wait(1, 'value').then((value) => console.log('waited', value)); });
const { setTimeout: wait } = require('timers/promises');
let count = 0;
const interval = setInterval(() => { console.log('interval', ++count); if (count === 3) { clearInterval(interval); immediates(); } }, 5);
function immediates() {
  setImmediate(() => {
    console.log('immediate');
    setImmediate(() => { console.log('immediate 2'); setTimeout((a, b) => { console.log('args', a, b); setTimeout(() => { throw new Error('thrown'); }, 1); }, 1, 1, 2); });
    Promise.resolve().then(() => console.log('promise in immediate'));
  });
}
function reject() { Promise.reject(new Error('lost')); }
console.log('end');
