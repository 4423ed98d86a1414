// Which rejections are somebody's, and which are nobody's.
process.on('unhandledRejection', (reason) => console.log('nobody', reason?.message ?? reason));
process.on('exit', (code) => console.log('exit', code));
const late = async (name) => { await 1; throw new Error(name); };
(async () => {
  try { await late('awaited'); } catch (error) { console.log('caught', error.message); }
  try { for await (const one of (async function* () { await 1; throw new Error('generator'); })()) console.log(one); } catch (error) { console.log('caught', error.message); }
  await late('then').then(() => {}, (error) => console.log('caught', error.message));
  await Promise.all([late('all'), 1]).catch((error) => console.log('caught', error.message));
  console.log((await Promise.allSettled([late('settled')]))[0].status, await Promise.race([late('race'), new Promise(() => {})]).catch((error) => error.message));
  console.log(await Promise.any([late('any'), Promise.resolve(3)]));
  let reject; const promise = new Promise((_, no) => { reject = no; }); promise.catch((error) => console.log('caught', error)); reject('before');
  await new Promise((resolve) => setTimeout(resolve, 30));
  late('lost');
  setTimeout(() => { Promise.reject(new Error('plain')); }, 1);
  setTimeout(() => { Promise.resolve().then(() => { throw new Error('in then'); }); }, 2);
  await new Promise((resolve) => setTimeout(resolve, 30));
  throw new Error('main');
})();
