// `curl` and `wget` with the engine's own `fetch`, and a server of this machine.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";

const { Sandbox } = await import(`file://${process.env.PACKAGE}/index.js`);

test("requests reach a server as the policy says", async (context) => {
  const server = createServer((request, response) => {
    if (request.url === "/moved") return response.writeHead(302, { location: "/echo" }).end();
    if (request.url === "/broken") return response.writeHead(200, { "content-length": 10 }).write("abc", () => response.destroy());
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      const { method, url, headers } = request;
      const kept = ["user-agent", "content-type", "authorization", "x-key"].map((name) => headers[name] ?? "-");
      response.setHeader("x-token", headers["x-key"] ?? "");
      response.end(`${method} ${url} ${kept.join(" ")} ${Buffer.concat(pieces)}\n`);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${server.address().port}`;
  const secrets = [{ origin, header: "X-Key", value: "Bearer t0k3n" }];
  const sandbox = new Sandbox({ network: [`GET,POST,HEAD ${origin}`], secrets });
  const agent = "curl/7.88.1";
  const table = [
    [`curl -s ${origin}/echo`, `GET /echo ${agent} - - [secret] \n`, 0],
    [`curl -sL -u me:pw ${origin}/moved`, `GET /echo ${agent} - Basic bWU6cHc= [secret] \n`, 0],
    [`curl -s --json '{}' ${origin}/j | cat`, `POST /j ${agent} application/json - [secret] {}\n`, 0],
    [`printf 'a\\nb' > d; curl -s -d @d ${origin}/d`, `POST /d ${agent} application/x-www-form-urlencoded - [secret] ab\n`, 0],
    [`curl -sI ${origin}/h | grep -i token`, "X-Token: [secret]\r\n", 0],
    [`curl -s ${origin}/broken > b; echo $?`, "56\n", 0],
    [`cd /tmp; wget -q ${origin}/name; cat name`, "GET /name Wget/1.21.3 - - [secret] \n", 0],
    [`curl -so made/f --create-dirs ${origin}/f; wc -l < made/f`, "1\n", 0],
  ];
  for (const [script, stdout, status] of table) {
    const result = await sandbox.exec(script);
    assert.deepEqual([result.stdout, result.exitCode], [stdout, status], `${script} ${result.stderr}`);
  }
  assert.equal((await new Sandbox().exec(`curl -s ${origin}/`)).exitCode, 7);
});
