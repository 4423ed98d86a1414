// A server, and requests to it by http, fetch and a socket.
const http = require('http'), net = require('net');
const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://x');
  if (url.pathname === '/echo') {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ method: request.method, body, type: request.headers['content-type'] ?? null, own: request.headers['x-own'] ?? null }));
  } else if (url.pathname === '/chunks') {
    response.writeHead(201, { 'X-Two': ['a', 'b'] });
    response.write('one '); setTimeout(() => { response.write('two '); response.end('three'); }, 10);
  } else if (url.pathname === '/to') { response.writeHead(302, { Location: '/echo' }); response.end(); } else if (url.pathname === '/none') { response.statusCode = 204; response.end(); } else if (url.pathname === '/slow') setTimeout(() => response.end('slow'), 2000).unref();
  else if (url.pathname === '/gzip') { response.setHeader('content-encoding', 'gzip'); response.end(require('zlib').gzipSync('packed')); } else { response.statusCode = 404; response.end('nothing here'); }
});
const get = (options, body) => new Promise((resolve, reject) => {
  const request = http.request(options, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk) => { text += chunk; }).on('end', () => resolve([response.statusCode, response.statusMessage, response.headers['content-type'] ?? null, text]));
  });
  request.on('error', reject);
  request.end(body);
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const base = `http://127.0.0.1:${port}`;
  console.log(await get(`${base}/echo`), await get({ host: '127.0.0.1', port, path: '/echo', method: 'POST', headers: { 'X-Own': '1', 'Content-Type': 'text/plain' } }, 'posted'));
  console.log(await get(`${base}/chunks`), await get(`${base}/nope`), await get(`${base}/none`));
  const answer = await fetch(`${base}/echo`, { method: 'PUT', body: JSON.stringify({ a: 1 }), headers: { 'Content-Type': 'application/json' } });
  console.log(answer.status, answer.ok, answer.headers.get('content-type'), await answer.json());
  const moved = await fetch(`${base}/to`);
  console.log(moved.redirected, moved.url === `${base}/echo`, (await moved.json()).method, (await fetch(`${base}/to`, { redirect: 'manual' })).status);
  console.log(await (await fetch(`${base}/gzip`)).text(), (await (await fetch(`${base}/chunks`)).arrayBuffer()).byteLength, (await fetch(`${base}/none`)).status, await (await fetch(`${base}/echo`, { method: 'POST', body: new URLSearchParams({ q: 'x y' }) })).json());
  console.log(await fetch(`${base}/slow`, { signal: AbortSignal.timeout(50) }).catch((error) => error.name));
  console.log(await fetch('http://127.0.0.1:9/').catch((error) => [error.name, error.message]), await get('http://127.0.0.1:9/').catch((error) => error.code));
  console.log(await fetch('nonsense').catch((error) => error.message));
  const raw = await new Promise((resolve) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write('GET /nope HTTP/1.1\r\nHost: x\r\n\r\nPOST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'));
    socket.on('data', (chunk) => { text += chunk; }).on('close', () => resolve(text));
  });
  console.log(raw.replace(/Date: .*\r\n/g, '').split('\r\n'));
  const echo = net.createServer((socket) => socket.pipe(socket));
  await new Promise((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const client = net.connect(echo.address().port, '127.0.0.1');
  client.end('through a socket');
  let said = ''; for await (const chunk of client) said += chunk;
  console.log(said);
  await new Promise((resolve) => echo.close(resolve));
  net.connect(9, '127.0.0.1').on('error', (error) => { console.log(error.code, error.syscall, error.port); server.close(() => console.log('closed')); server.closeAllConnections(); });
  const second = http.createServer().on('error', (error) => console.log(error.code)); second.listen(port, '127.0.0.1');
});
