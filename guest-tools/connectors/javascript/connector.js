// A connector in JavaScript: the made-up service of the template, as far as the classic steps need it.
//
// `build` makes a component of it. There is no `fetch` in it but that of the engine, which goes
// through wasi:http and so through the host: the credential is added there.

const CLAIMS = {
  exec: true,
  filesystem: true,
  binaryFiles: true,
  separateStderr: true,
  execEnvironment: true,
  execDirectory: true,
  exactOutput: true,
};

function capabilities() {
  return {
    claims: CLAIMS,
    network: "none",
    persistence: "session",
    isolation: "provider",
    timeoutUnitMs: 1n,
  };
}

// What a function throws is the error of its result.
function fail(code, message) {
  throw { code, message, retryable: false };
}

const CODES = { 400: "invalid", 401: "policy-denied", 403: "policy-denied", 404: "not-found",
  409: "conflict", 429: "limit" };

async function ask(state, method, path, body) {
  const headers = { authorization: `Bearer ${state.token}` };
  let answer;
  try {
    answer = await fetch(`${state.api}${path}`, { method, headers, body });
  } catch (error) {
    fail("died", `no answer: ${error}`);
  }
  if (!answer.ok) {
    fail(CODES[answer.status] ?? "died", `status ${answer.status}: ${await answer.text()}`);
  }
  return answer;
}

function read(text) {
  return JSON.parse(text);
}

function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function bytes(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function files(state, what, path, more = "") {
  return `/boxes/${state.id}/files?${what}=${encodeURIComponent(path)}${more}`;
}

async function about(state, path) {
  return (await ask(state, "GET", files(state, "about", path))).json();
}

function refused() {
  fail("capability", "not offered here");
}

export const backend = {
  describe: capabilities,

  async create(options) {
    const settings = read(options.settings);
    if (options.network !== undefined && options.network !== "none") refused();
    const state = { api: settings.api, id: "", token: "" };
    const body = JSON.stringify({
      variables: Object.fromEntries(options.environment),
      directory: options.cwd ?? null,
    });
    const made = await (await ask(state, "POST", "/boxes", body)).json();
    state.id = made.id;
    state.token = made.token;
    return {
      state: JSON.stringify(state),
      root: made.root,
      cwd: made.home,
      capabilities: capabilities(),
    };
  },

  async cleanup(text) {
    const state = read(text);
    await ask(state, "DELETE", `/boxes/${state.id}`);
  },

  async exec(text, command) {
    const state = read(text);
    const body = JSON.stringify({
      script: base64(command.script),
      name: command.name === undefined ? null : base64(command.name),
      arguments: command.arguments.map(base64),
      directory: command.cwd,
      variables: command.environment,
      only_these: command.replaceEnvironment,
      stdin: command.input.tag === "bytes" ? base64(command.input.val) : "",
      timeout_ms: null,
    });
    const ran = await (await ask(state, "POST", `/boxes/${state.id}/run`, body)).json();
    return {
      exitCode: ran.status,
      stdout: bytes(ran.stdout),
      stderr: bytes(ran.stderr),
      timedOut: ran.timed_out,
      truncated: ran.truncated,
    };
  },

  async readFile(text, path) {
    const state = read(text);
    const answer = await ask(state, "GET", files(state, "path", path));
    const pieces = [];
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(...value);
    }
    return new Uint8Array(pieces);
  },

  async writeFile(text, path, content) {
    const state = read(text);
    await ask(state, "PUT", files(state, "path", path), content);
  },

  async stat(text, path) {
    const found = await about(read(text), path);
    return { kind: found.kind, size: BigInt(found.size) };
  },

  async readdir(text, path) {
    const found = await about(read(text), path);
    return found.names ?? fail("conflict", `${path}: not a directory`);
  },

  async exists(text, path) {
    try {
      await about(read(text), path);
      return true;
    } catch (error) {
      if (error.code === "not-found" || error.code === "conflict") return false;
      throw error;
    }
  },

  async mkdir(text, path, recursive) {
    const state = read(text);
    await ask(state, "POST", files(state, "directory", path, `&recursive=${recursive}`));
  },

  async rm(text, path, recursive, force) {
    const state = read(text);
    const more = `&recursive=${recursive}&force=${force}`;
    await ask(state, "DELETE", files(state, "path", path, more));
  },

  life() {
    return "running";
  },

  Process: class {
    id() {
      return "";
    }
    next() {
      refused();
    }
  },

  attach: refused,
  start: refused,
  spawn: refused,
  signal: refused,
  writeInput: refused,
  closeInput: refused,
  snapshot: refused,
  restore: refused,
  deleteSnapshot: refused,
  fork: refused,
  suspend: refused,
  resume: refused,
  reference: refused,
};
