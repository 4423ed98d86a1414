// The playground: sandboxes of this page, kept in its browser.

import { IndexedDbStore, NotFoundError, Sandboxes } from "./offshoot/index.js";

const HOME = "/home/user";
const FIRST = {
  "hello.sh": 'for name in "$@"; do echo "hello $name"; done | sort\n',
  "fruits.json": '[{"name":"pear","count":3},{"name":"fig","count":5}]\n',
};
const WELCOME = "Type a script, such as: bash hello.sh you me; jq '.[].name' fruits.json\n";
/** Characters of output that stay. */
const SHOWN = 200_000;
/** Milliseconds without a change until what is there is stored. */
const QUIET = 500;

const at = (id) => document.getElementById(id);
const say = (text) => (at("state").textContent = text);
const decoder = new TextDecoder();

/** Shows a failure instead of losing it. */
const tried = (run) => async (...args) => {
  try {
    await run(...args);
  } catch (error) {
    say(error.message);
  }
};

const sandboxes = new Sandboxes(await IndexedDbStore.open("offshoot-playground"), { patienceMs: 2000, limits: { timeMs: 60_000, disk: 64 << 20 } });
/** The branch that is shown, with its terminal. */
let current;

function show(text) {
  const output = at("output");
  output.textContent = (output.textContent + text.replace(/\x1b\[[0-9;?]*[A-Za-z]/g, "")).slice(-SHOWN);
  output.scrollTop = output.scrollHeight;
}

/** Opens a branch; one that another tab has awake when it has let go. */
async function open(name) {
  say("waking");
  current?.close();
  const sandbox = await sandboxes.open(name);
  const watcher = await sandbox.files.watch(HOME, { recursive: true });
  const branch = { name, sandbox, terminal: undefined, over: false, close: () => (branch.over = true) };
  current = branch;
  at("output").textContent = WELCOME;
  void start(branch);
  void keep(branch, watcher);
  await Promise.all([listBranches(), listFiles()]);
  await edit(at("path").value);
  say(`${name}: ready`);
}

/** A terminal, and a new one when its shell ends. */
async function start(branch) {
  while (!branch.over) {
    branch.terminal = branch.sandbox.terminal({ env: { PS1: "$ ", TERM: "dumb" } });
    try {
      for (const reader = branch.terminal.output.getReader(); ; ) {
        const { done, value } = await reader.read();
        if (done) break;
        if (branch === current) show(decoder.decode(value, { stream: true }));
      }
      await branch.terminal.wait();
    } catch (error) {
      if (branch === current) show(`${error.message}\n`);
    }
  }
}

/** Stores what is there, whenever it has changed and some time has passed. */
async function keep(branch, watcher) {
  let timer;
  try {
    for await (const _ of watcher) {
      if (branch === current) {
        say(`${branch.name}: changed`);
        void listFiles();
      }
      clearTimeout(timer);
      timer = setTimeout(() => void store(branch), QUIET);
    }
  } catch {
    // It is closed.
  }
}

const store = tried(async (branch) => {
  await sandboxes.checkpoint(branch.name);
  if (branch === current) say(`${branch.name}: stored`);
});

function item(text, isCurrent, click) {
  const [li, button] = [document.createElement("li"), document.createElement("button")];
  button.textContent = text;
  button.setAttribute("aria-current", String(isCurrent));
  button.addEventListener("click", tried(click));
  li.append(button);
  return li;
}

async function listBranches() {
  const all = await sandboxes.list();
  const rows = all.map(({ name, parent }) => {
    const row = item(parent ? `${name} ← ${parent}` : name, name === current.name, () => open(name));
    if (parent) row.className = "forked";
    return row;
  });
  at("branches").replaceChildren(...rows);
  const parent = all.find(({ name }) => name === current.name)?.parent;
  at("changes").disabled = !all.some(({ name }) => name === parent);
  at("delete").disabled = all.length < 2;
}

async function listFiles() {
  const { files } = current.sandbox;
  const found = [];
  const below = async (path, depth) => {
    for (const { name, kind } of await files.list(path)) {
      const full = `${path}/${name}`;
      if (kind === "directory" && depth < 4 && !name.startsWith(".")) await below(full, depth + 1);
      else if (kind === "file") found.push(full);
      if (found.length > 500) return;
    }
  };
  await below(HOME, 0);
  const path = at("path").value;
  at("files").replaceChildren(...found.map((full) => item(full.slice(HOME.length + 1), full === path, () => edit(full))));
}

async function edit(path) {
  at("path").value = path;
  try {
    at("text").value = await current.sandbox.files.readText(path);
  } catch (error) {
    at("text").value = "";
    if (!(error instanceof NotFoundError)) throw error;
  }
  await listFiles();
}

const save = tried(() => current.sandbox.files.write(at("path").value, at("text").value));

at("save").addEventListener("click", save);
at("path").addEventListener("change", tried(() => edit(at("path").value)));
at("text").addEventListener("keydown", (event) => {
  if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    void save();
  }
});
at("fork").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = at("name").value.trim();
  void tried(async () => {
    await sandboxes.fork(current.name, name);
    at("name").value = "";
    await open(name);
  })();
});
at("changes").addEventListener("click", tried(async () => {
  const { parent } = await sandboxes.info(current.name);
  const changes = (await sandboxes.open(parent)).diff(current.sandbox);
  show(`\n${changes.length} changes since ${parent}\n${changes.map(({ kind, path }) => `${kind} ${path}\n`).join("")}$ `);
}));
at("delete").addEventListener("click", tried(async () => {
  const { name } = current;
  current.close();
  await sandboxes.delete(name);
  await sandboxes.collect();
  await open((await sandboxes.list())[0].name);
}));

/** Lines that were typed, for the arrow keys. */
const typed = [];
let place = 0;
at("prompt").addEventListener("submit", (event) => {
  event.preventDefault();
  const line = at("line").value;
  at("line").value = "";
  if (line) place = typed.push(line);
  show(`${line}\n`);
  void tried(() => current.terminal.write(`${line}\n`))();
});
at("line").addEventListener("keydown", (event) => {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step) {
    place = Math.max(0, Math.min(typed.length, place + step));
    at("line").value = typed[place] ?? "";
  } else if (event.ctrlKey && event.key === "c" && at("line").selectionStart === at("line").selectionEnd) {
    show("^C\n");
    void current.terminal.interrupt();
  } else if (event.ctrlKey && event.key === "d" && at("line").value === "") {
    void current.terminal.endInput();
  } else {
    return;
  }
  event.preventDefault();
});
// Who leaves may not come back.
addEventListener("visibilitychange", () => document.visibilityState === "hidden" && void store(current));

await tried(async () => {
  if ((await sandboxes.list()).length === 0) await sandboxes.create("main", { files: FIRST });
  const last = (await sandboxes.list()).find(({ name }) => name === location.hash.slice(1));
  await open(last?.name ?? "main");
})();
// From the second visit on the page needs no network.
const worker = navigator.serviceWorker;
if (worker) {
  await worker.register("worker.js");
  await worker.ready;
  document.documentElement.dataset.offline = "ready";
}
