// What the package does, in any engine: `cases` are run one after the other by whoever imports them.

/** Fails with what differs. */
export function equal(found, wanted, what = "") {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value instanceof Uint8Array ? [...value] : value));
  if (one !== other) throw new Error(`${what}: ${one} is not ${other}`);
}

export function ok(value, what) {
  if (!value) throw new Error(`${what} does not hold`);
}

export async function rejects(promise, test, what) {
  let thrown;
  try {
    await promise;
  } catch (error) {
    thrown = error;
  }
  if (thrown === undefined) throw new Error(`${what}: it did not reject`);
  if (!test(thrown)) throw new Error(`${what}: rejected with ${thrown?.stack ?? thrown}`);
}

async function text(stream) {
  let all = "";
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return all;
    all += decoder.decode(value, { stream: true });
  }
}

/** Each script, what it prints, and its status. */
const SCRIPTS = [
  ["echo out; exit 3", "out\n", 3],
  ["printf '%s\\n' b a | sort", "a\nb\n", 0],
  ["yes | head -n 2", "y\ny\n", 0],
  ["yes | head -c 100000 | wc -c", "100000\n", 0],
  ["seq 100000 | sort -n | tail -n 1", "100000\n", 0],
  ["seq 20000 | sed 's/1/x/' | grep -c x", "13439\n", 0],
  ["set -o pipefail; yes | head -n 1 >/dev/null; echo $?", "141\n", 0],
  ["echo '{\"a\":[1,2]}' | jq -c '.a|map(.+1)'", "[2,3]\n", 0],
  ["printf 'a 1\\nb 2\\n' | awk '{ s += $2 } END { print s }'", "3\n", 0],
  ["mkdir -p d/e; echo x > d/e/f; find d -type f | xargs cat", "x\n", 0],
  ["bash -c 'echo $0 $1; exit 4' name arg", "name arg\n", 4],
  ["printf '#!/bin/sh\\necho script $1\\n' > s; chmod +x s; ./s a", "script a\n", 0],
  ["ln -s w l; echo t > w; cat l; readlink l; stat -c %a w", "t\nw\n644\n", 0],
  ["x=$(echo a | tr a b); echo \"$x\"; (cd /tmp; pwd); pwd", "b\n/tmp\n/home/user\n", 0],
  ["trap 'echo end' EXIT; f() { local i; for i in 1 2; do echo $i; done; }; f", "1\n2\nend\n", 0],
  ["exec 3> o; echo three >&3; exec 3>&-; cat o; cat < /dev/null | wc -c", "three\n0\n", 0],
  ["echo data | tee a b > /dev/null; cat a b; cmp a b && echo same", "data\ndata\nsame\n", 0],
  ["tar -czf t.gz /etc/hosts 2>/dev/null; tar -tzf t.gz", "etc/hosts\n", 0],
  ["git init -q r 2>/dev/null; cd r; echo a > f; git add f; git -c user.name=n -c user.email=e commit -qm m; git log --format=%s", "m\n", 0],
  ["nosuch 2>&1", "bash: line 1: nosuch: command not found\n", 127],
  ["sleep 0.01 & wait $!; echo $?; (exit 7) & wait $!; echo $?", "0\n7\n", 0],
  ["cat /dev/stdin <<< here; echo err >&2 2>&1 | cat", "here\n", 0],
  ["test -w /etc/passwd || echo refused; rm /etc/passwd 2>/dev/null || echo kept", "refused\nkept\n", 0],
  ["printf 'a b' | xargs -n 1 sh -c 'echo \"<$1>\" | cat' sh", "<a>\n<b>\n", 0],
  ["echo b > f; echo a > g; find . -type f | xargs cat | sort | tr '\\n' ,", "a,b,", 0],
  ["mkfifo p; exec 8<> p; echo x >&8; read l <&8; echo $l; exec 8<&-; (echo y > p &); cat p", "x\ny\n", 0],
  ["find . -maxdepth 0 -exec sh -c 'echo x | sort; exit 3' \\; ; echo $?", "x\n0\n", 0],
  ["f=$'a\\xff'; echo x > \"$f\"; ls | od -An -tx1; find . -type f | xargs cat; cp \"$f\" b; cmp \"$f\" b && echo same", " 61 ff 0a\nx\nsame\n", 0],
  ["cut -d' ' -f1 /proc/loadavg; awk '/^(Name|State)/ {print $2}' /proc/self/status; cd /tmp; readlink /proc/$$/cwd; tr '\\0' ' ' < /proc/$$/cmdline",
    "0.00\nawk\nR\n/tmp\nbash ", 0],
  ["ps -o comm= > p; sort -u p; cat /proc/mounts; ls /proc/self/fd; (exit $(( $(cut -d. -f1 /proc/uptime) > 60 )))", "bash\nps\ntmpfs / tmpfs rw 0 0\nproc /proc proc ro 0 0\n0\n1\n2\n", 0],
  ["curl http://example.com 2>&1; wget example.com 2>&1", "curl: (7) this sandbox has no network\nGET http://example.com/\nwget: (4) this sandbox has no network\n", 4],
  ["curl http://localhost 2>&1", "curl: (7) Failed to connect to localhost port 80: Connection refused\n", 7],
];

const WAIT = "until (: <> /dev/tcp/localhost/8000) 2>/dev/null; do sleep 0.02; done";
/** What reaches each other in the sandbox; each script, and what it prints. */
const NETWORK = [
  [`mkdir w; seq 30000 > w/f; cd w; python3 -m http.server >/dev/null 2>&1 & ${WAIT}
    curl -s localhost:8000/f | tail -n 1; wget -q -O copy http://localhost:8000/f; cmp copy f && echo same
    curl -sf localhost:8000/nothing; echo $?; curl -so /dev/null -w '%{http_code} %{size_download}\\n' 127.0.0.1:8000/f; kill %1`,
    "30000\nsame\n22\n200 168894\n"],
  [`mkdir w; echo page > w/f; cd w; python3 -m http.server >/dev/null 2>&1 & ${WAIT}
    exec 3<> /dev/tcp/localhost/8000; printf 'GET /f HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3; kill %1`, "page\n"],
  [`python3 - <<'EOF'
import os, socket, subprocess, urllib.request
one, two = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
one.bind(("127.0.0.1", 0))
two.sendto(b"datagram", one.getsockname())
print(one.recv(100))
reader, writer = os.pipe()
subprocess.run(["echo", "through a pipe"], stdout=writer)
print(os.read(reader, 100))
with open("out", "w") as out: subprocess.run(["echo", "to a file"], stdout=out)
print(open("out").read().strip())
for host in "127.0.0.1", "192.0.2.1":
    try: urllib.request.urlopen("http://" + host)
    except OSError as error: print(error)
EOF`, "b'datagram'\nb'through a pipe\\n'\nto a file\n<urlopen error [Errno 14] Connection refused>\nHTTP Error 403: this sandbox has no network\n"],
];

/** Every case of behaviour for a package, by name: functions that throw where it does not hold. */
export function cases(offshoot) {
  const { Sandbox, ExecError, LimitError, NotFoundError, ConflictError, InvalidError, CorruptError, engine } = offshoot;
  const all = {};

  all["scripts and their output"] = async () => {
    for (const [script, stdout, status] of SCRIPTS) {
      const result = await new Sandbox().exec(script);
      equal([result.stdout, result.exitCode], [stdout, status], `${script} (${result.stderr})`);
    }
  };

  all["bytes, arguments, variables, directory"] = async () => {
    const sandbox = new Sandbox({ env: { Y: "2" } });
    const every = Uint8Array.from({ length: 256 }, (_, n) => n);
    equal((await sandbox.exec("cat", { stdin: every })).stdoutBytes, every, "cat");
    equal((await sandbox.exec("sort -z | tr -d '\\0'", { stdin: "b\0a" })).stdout, "ab", "sort");
    const options = { arguments: ["a b"], env: { X: "1" }, cwd: "/tmp" };
    equal((await sandbox.exec('echo "$1-$X$Y" $PWD', options)).stdout, "a b-12 /tmp\n", "options");
  };

  all["errors have types and codes"] = async () => {
    const sandbox = new Sandbox();
    await rejects(sandbox.exec("echo why >&2; exit 7", { check: true }), (error) => {
      return error instanceof ExecError && error.result.exitCode === 7 && /exit status 7: why/.test(error.message);
    }, "check");
    await rejects(sandbox.files.read("/nowhere"), (e) => e instanceof NotFoundError && e.code === "NOT_FOUND", "read");
    await sandbox.files.write("b", Uint8Array.of(255));
    await rejects(sandbox.files.readText("b"), (e) => e instanceof InvalidError && e.code === "NOT_TEXT", "text");
    await rejects(sandbox.files.makeDir("/tmp", { parents: false }), (e) => e instanceof ConflictError, "makeDir");
    await rejects((async () => new Sandbox({ limits: { output: 0.5 } }))(), (e) => e instanceof InvalidError, "limit");
    await rejects((async () => new Sandbox({ memroy: 1 }))(), (e) => e instanceof TypeError, "option");
  };

  all["limits end a script and keep its output"] = async () => {
    const limited = (limits, script) => new Sandbox({ limits }).exec(script);
    await rejects(limited({ output: 1000 }, "yes"), (error) => {
      return error instanceof LimitError && error.output.stdoutBytes.length === 1000;
    }, "output");
    await rejects(limited({ steps: 10_000 }, "echo a; while :; do :; done"), (error) => {
      return error instanceof LimitError && error.output.stdout === "a\n";
    }, "steps");
    equal((await limited({ disk: 10_000 }, "head -c 20000 /dev/zero > f 2>/dev/null; wc -c < f")).exitCode, 0, "disk");
    await rejects(new Sandbox({ limits: { disk: 10_000_000 } }).files.write("f", new Uint8Array(20_000_000)), (error) => {
      return error instanceof LimitError && error.errno === "ENOSPC";
    }, "disk");
  };

  all["a time-out is a result, an abort rejects"] = async () => {
    const sandbox = new Sandbox();
    const late = await sandbox.exec("echo before; while :; do :; done", { timeoutMs: 300 });
    equal([late.exitCode, late.timedOut, late.stdout], [124, true, "before\n"], "time-out");
    const calling = await sandbox.exec("awk 'BEGIN { while (1) print > \"/dev/null\" }'", { timeoutMs: 300 });
    equal([calling.exitCode, calling.timedOut], [124, true], "a program that calls the host");
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    await rejects(sandbox.exec("while :; do :; done", { signal: controller.signal }), (e) => e.name === "AbortError", "abort");
    await rejects(sandbox.exec("true", { signal: AbortSignal.abort() }), (e) => e.name === "AbortError", "aborted");
    equal((await sandbox.exec("echo alive")).stdout, "alive\n", "afterwards");
  };

  all["memory is limited, and seen"] = async () => {
    const keeps = `awk 'BEGIN { while (1) a[i++] = "text that is kept" i }' 2>&1`;
    const small = new Sandbox({ limits: { memory: 24 << 20 }, files: { keep: "kept\n" } });
    equal((await small.exec(`${keeps}; cat keep; awk '/open files|address/ { print $(NF-1) }' /proc/self/limits`)).stdout,
      `awk: memory exhausted\nkept\n256\n${24 << 20}\n`, "a program that wants more");
    equal((await small.fork().exec(`seq 1000000 | sort -n 2>&1 >/dev/null; echo $?`)).stdout.endsWith("0\n"), false, "in a branch");
    const all = new Sandbox({ limits: { totalMemory: 48 << 20 } });
    ok((await all.exec(`${keeps}; echo $?`)).stdout.endsWith("\n137\n"), "all processes");
    await rejects(new Sandbox({ limits: { memory: 1 << 20 } }).exec("true"), (e) => e instanceof LimitError, "too little for a shell");
    await rejects((async () => new Sandbox({ limits: { memory: 2 ** 30 } }))(), (e) => e instanceof InvalidError, "too much");
    const running = all.spawn("read x");
    await running.stdin.getWriter().write("");
    await new Promise((resolve) => setTimeout(resolve, 20));
    ok(all.usage().memory >= 1 << 20, "of what runs");
    running.kill();
    await running.wait();
    equal(all.usage().memory, 0, "of nothing");
  };

  all["a program that only computes is stopped"] = async () => {
    const sandbox = new Sandbox();
    const endless = ["awk 'BEGIN { while (1) i++ }'", "jq -n 'reduce range(1e12) as $i (0; . + 1)'", "echo x | sed ':a; s/x/x/; ta'"];
    for (const script of endless) {
      // What it printed before is no part of this: a slow machine may not have come so far.
      const late = await sandbox.exec(script, { timeoutMs: 200 });
      equal([late.exitCode, late.timedOut], [124, true], script);
    }
    if (!engine.suspends) return "by a time-out alone: stages run in turn";
    equal((await sandbox.exec(`${endless[0]} & sleep 0.05; kill $!; wait $!; echo $?`)).stdout, "143\n", "kill");
    const running = sandbox.exec(endless[0], { signal: AbortSignal.timeout(50) });
    const stopped = rejects(running, (e) => e.name === "TimeoutError", "abort");
    equal((await sandbox.exec("echo meanwhile")).stdout, "meanwhile\n", "others");
    await stopped;
    return undefined;
  };

  all["files"] = async () => {
    const { files } = new Sandbox();
    await files.write("a/b", "text");
    await files.writeMany({ "a/c": "x", "a/d": Uint8Array.of(1, 2) });
    const listed = (await files.list("a")).map(({ name, kind, size }) => [name, kind, size]);
    equal(listed, [["b", "file", 4], ["c", "file", 1], ["d", "file", 2]], "list");
    await files.copy("a", "e", { recursive: true });
    await files.rename("e/b", "f");
    equal(await files.readText("f"), "text", "rename");
    await files.remove("a", { recursive: true });
    await files.remove("a", { missingOk: true });
    equal(await files.exists("a"), false, "remove");
    ok((await files.info("f")).modifiedMs > 1.7e12, "a time");
    await rejects(files.writeMany({ new: "", "f/below": "" }), (e) => e instanceof ConflictError, "writeMany");
    equal(await files.exists("new"), false, "all or none");
    const other = new Sandbox().files;
    await other.importTar(await files.exportTar("/home/user"), "/home/user");
    equal(await other.readText("e/c"), "x", "tar");
  };

  all["files are watched"] = async () => {
    const sandbox = new Sandbox({ files: { "d/old": "1", "d/gone": "1", "d/mode": "1", "d/sub/deep": "1", "d/a/b/x.log": "1" } });
    const told = (events) => events.map(({ kind, path }) => `${kind} ${path.replace("/home/user/", "")}`);
    const all = await sandbox.files.watch("d", { recursive: true, exclude: ["**/*.log", "{target,skip[0-9]}"] });
    const names = await sandbox.files.watch("d");
    equal(await all.look(), [], "nothing");
    await sandbox.exec(`cd d; echo 2 >> old; rm gone; chmod 600 mode; mv sub/deep sub/other; echo 1 > new; echo > a/b/x.log
      echo > a/y.log; mkdir -p target/x skip1; echo > target/x/f; echo > ../outside`);
    equal(told(await all.next()), ["removed d/gone", "attributes d/mode", "added d/new", "written d/old", "moved d/sub/deep", "added d/sub/other"]
      .sort((one, other) => (one.split(" ")[1] < other.split(" ")[1] ? -1 : 1)), "everything");
    equal(told(await names.look()).filter((line) => !line.startsWith("attributes")),
      ["removed d/gone", "added d/new", "written d/old", "added d/skip1", "added d/target"], "names");
    equal(await all.look(), [], "once");
    const next = all.next();
    await sandbox.exec("sleep 0.05; rm -r d; mkdir d; echo > d/again");
    const seen = told(await next);
    // One look, or one before and one after.
    while (!seen.includes("added d/again")) seen.push(...told(await all.next()));
    ok(seen.includes("removed d/new"), "as it happens");
    await rejects(sandbox.files.watch("outside"), (e) => e instanceof ConflictError && e.errno === "ENOTDIR", "a file");
    await rejects(sandbox.files.watch("none"), (e) => e instanceof NotFoundError, "nothing");
    await rejects(sandbox.files.watch("d", { exclude: ["{a"] }), (e) => e instanceof InvalidError, "no glob");
    const waiting = rejects(all.next(), (e) => e.code === "SANDBOX_UNAVAILABLE", "closed");
    await sandbox.close();
    await waiting;
  };

  all["branches and sessions"] = async () => {
    const sandbox = new Sandbox({ files: { state: "0" } });
    const [first, second] = sandbox.forkMany(2);
    await first.exec("echo 1 > state; touch new");
    equal(await second.files.readText("state"), "0", "the other branch");
    ok(sandbox.diff(first).some(({ kind, path }) => kind === "added" && path === "/home/user/new"), "the difference");
    const session = sandbox.session();
    await session.exec("cd /tmp; x=1; f() { echo f$x; }");
    const branch = await session.fork();
    equal((await branch.exec("f; pwd")).stdout, "f1\n/tmp\n", "a session's branch");
    equal((await sandbox.loadSession(await session.export()).exec("echo $x")).stdout, "1\n", "a session's bytes");
  };

  all["many branches of one sandbox"] = async () => {
    const sandbox = new Sandbox({ files: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, `${n}`])) });
    const before = engine.trees.memory;
    const branches = sandbox.forkMany(1000);
    ok(engine.trees.memory - before < 8 << 20, "less than 8 KiB a branch");
    await branches[999].exec("echo changed > f0");
    equal(await branches[0].files.readText("f0"), "0", "another branch");
    for (const branch of branches) await branch.close();
  };

  all["a process streams both ways and takes signals"] = async () => {
    const sandbox = new Sandbox();
    const running = sandbox.spawn("while read -r x; do echo \"<$x>\"; done; echo e >&2; exit 5");
    const writer = running.stdin.getWriter();
    await writer.write("a\n");
    await writer.close();
    equal(await text(running.stdout), "<a>\n", "stdout");
    equal(await text(running.stderr), "e\n", "stderr");
    equal(await running.wait(), 5, "status");
    const trapped = sandbox.spawn("trap 'exit 9' TERM; echo ready; while :; do sleep 0.01; done");
    await trapped.stdout.getReader().read();
    trapped.signal("SIGTERM");
    equal(await trapped.wait(), 9, "trap");
    const killed = sandbox.spawn("while :; do :; done");
    killed.kill();
    equal(await killed.wait(), 137, "kill");
  };

  all["a terminal"] = async () => {
    const terminal = new Sandbox({ env: { PS1: "$ " } }).terminal();
    const reader = terminal.output.getReader();
    let shown = "";
    const until = async (end) => {
      while (!shown.endsWith(end)) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`the terminal ended after ${shown}`);
        shown += new TextDecoder().decode(value);
      }
      const all = shown;
      shown = "";
      return all;
    };
    equal(await until("$ "), "$ ", "a prompt");
    await terminal.write("x=5; test -t 0 && echo $((x * 2)) > /dev/tty\n");
    equal(await until("$ "), "10\n$ ", "a line");
    await terminal.write("echo $x; while :; do :; done\n");
    await until("5\n");
    await terminal.interrupt();
    await until("$ ");
    await terminal.write("cat\n");
    await terminal.write("typed\n");
    await until("typed\n");
    await terminal.endInput();
    await until("$ ");
    await terminal.write("exit 3\n");
    equal(await terminal.wait(), 3, "status");
    await rejects(terminal.write("x"), (e) => e.code === "DIED", "afterwards");
  };

  all["output is seen as it comes"] = async () => {
    const seen = [];
    const watched = { onStdout: (piece) => seen.push(...piece) };
    const result = await new Sandbox().exec("echo a; printf b | cat", watched);
    equal([new TextDecoder().decode(Uint8Array.from(seen)), result.stdout], ["a\nb", "a\nb"], "pieces");
  };

  all["own commands"] = async () => {
    const lookup = async ({ arguments: args, env, cwd, text }) => {
      if (args[0] === "fail") throw new Error("no luck");
      return { stdout: `${args} ${env.X} ${cwd} ${text()}`, exitCode: args.length };
    };
    const sandbox = new Sandbox({ commands: { lookup, forever: () => new Promise(() => undefined) } });
    const result = await sandbox.exec("export X=1; echo in | lookup a b | tr a-z A-Z; echo ${PIPESTATUS[1]}");
    equal(result.stdout, "A,B 1 /HOME/USER IN\n2\n", "an answer");
    equal((await sandbox.fork().exec("lookup fail")).stderr, "lookup: no luck\n", "a fault");
    equal((await sandbox.exec("forever", { timeoutMs: 100 })).exitCode, 124, "one that never answers");
  };

  all["a snapshot is the sandbox again"] = async () => {
    const sandbox = new Sandbox({ env: { A: "1" }, files: { f: "kept", big: new Uint8Array(300_000) } });
    await sandbox.exec("ln -s f link; chmod 700 f; mkfifo pipe");
    const bytes = await sandbox.snapshot();
    const again = await Sandbox.restore(bytes);
    equal((await again.exec("cat link; stat -c %a f; wc -c < big; echo $A; test -p pipe && echo p")).stdout,
      "kept700\n300000\n1\np\n", "restored");
    equal(sandbox.diff(again), [], "no difference");
    const damaged = bytes.slice();
    damaged[bytes.length - 5] ^= 1;
    await rejects(Sandbox.restore(damaged), (e) => e instanceof CorruptError, "damage");
  };

  all["a trap loses one process"] = async () => {
    const sandbox = new Sandbox({ files: { keep: "kept" } });
    // A command with more nesting than the stack of the engine holds.
    const deep = `${"[".repeat(200_000)}`;
    const result = await sandbox.exec("jq . 2>/dev/null; echo $(( $? != 0 )); cat keep", { stdin: deep });
    equal(result.stdout, "1\nkept", "after the trap");
  };

  all["executions at once"] = async () => {
    const sandbox = new Sandbox();
    const runs = Array.from({ length: 8 }, (_, n) => sandbox.exec(`for i in 1 2 3; do echo ${n}; done | sort | uniq -c | tr -s ' '`));
    equal((await Promise.all(runs)).map(({ stdout }) => stdout), runs.map((_, n) => ` 3 ${n}\n`), "outputs");
  };

  all["Python, and the network of the sandbox"] = async () => {
    const refused = await new Sandbox().exec("exec 3<> /dev/tcp/localhost/1");
    equal([refused.stderr, refused.exitCode], ["bash: line 1: /dev/tcp/localhost/1: Connection refused\n", 1], "nobody listens");
    const missing = await engine.warm(["python3"]).then(() => undefined, (error) => error);
    if (missing) return `without Python: ${missing.message}`;
    equal((await new Sandbox().exec("python3 -c 'print(6 * 7)' | cat")).stdout, "42\n", "Python");
    if (!engine.suspends) return "without servers: stages run in turn";
    for (const [script, stdout] of NETWORK) {
      const result = await new Sandbox().exec(script);
      equal(result.stdout, stdout, `${script} (${result.stderr})`);
    }
    return undefined;
  };

  all["mounts of files and of own file systems"] = async () => {
    const asked = [];
    const own = {
      info(path) {
        if (path === "" || path === "deep") return { kind: "directory" };
        return /^(deep\/)?n\d$/.test(path) ? { kind: "file", mode: 0o600, modifiedMs: 1.5e12 } : undefined;
      },
      list: (path) => (path === "" ? ["n1", "deep"] : ["n2"]),
      read(path) {
        asked.push(path);
        if (path === "n1") throw new Error("no luck");
        return `made ${path}\n`;
      },
    };
    const mounts = [
      { path: "/data", files: { "a/b": "one\n", c: "two\n" } },
      { path: "/work", files: { f: "kept\n" }, mode: "cow" },
      { path: "/own", files: own },
    ];
    const sandbox = new Sandbox({ mounts });
    const { stdout } = await sandbox.exec(`cat /data/a/b /data/c; touch /data/x 2>/dev/null || echo refused; find /own -type f | sort;
      cat /own/deep/n2; cat /own/n1 2>&1; stat -c '%a %U %Y' /own/deep/n2; echo new > /work/f; echo more > /work/g; cat /work/*; grep -c overlay /proc/mounts`);
    equal(stdout, `one\ntwo\nrefused\n/own/deep/n2\n/own/n1\nmade deep/n2\ncat: /own/n1: Input/output error\n600 user 1500000000\nnew\nmore\n3\n`, "mounts");
    equal(asked, ["deep/n2", "n1"], "what was read");
    equal((await new Sandbox({ mounts }).exec("cat /work/f")).stdout, "kept\n", "the files themselves");
    const branch = sandbox.fork();
    equal((await branch.exec("echo branch > /work/f; cat /data/c /proc/self/comm")).stdout, "two\ncat\n", "a branch");
    equal(await sandbox.files.readText("/work/f"), "new\n", "its origin");
    const restored = await Sandbox.restore(await sandbox.snapshot(), { mounts });
    equal((await restored.exec("cat /data/c /work/f; cat < /dev/fd/0 <<< in; cat /proc/self/comm")).stdout, "two\nkept\nin\ncat\n", "restored");
  };

  all["curl and wget under a policy"] = async () => {
    const asked = [];
    const fetch = async (url, { method, headers, body }) => {
      asked.push(`${method} ${url} ${headers.get("x-key") ?? ""} ${body ? new TextDecoder().decode(body) : ""}`.trim());
      if (url.endsWith("/moved")) return new Response(null, { status: 302, headers: { location: "/there" } });
      if (url.endsWith("/none")) return new Response("no\n", { status: 404 });
      return new Response(`key ${headers.get("x-key")} ${headers.get("x-own")}\n`, { headers: { "x-echo": headers.get("x-key") ?? "" } });
    };
    const secrets = [{ origin: "https://api.example.com", header: "X-Key", value: "t0k3n" }];
    const network = ["GET,POST https://api.example.com", "https://*.example.org/v1/"];
    const sandbox = new Sandbox({ fetch, network, secrets });
    const scripts = [
      ["curl -s -H 'X-Own: mine' https://api.example.com/", "key [secret] mine\n", 0],
      ["curl -sLi https://api.example.com/moved | grep -i x-echo", "X-Echo: [secret]\r\n", 0],
      ["curl -sS -X PUT https://api.example.com/ 2>&1", "curl: (7) the network policy refuses PUT https://api.example.com\n", 7],
      ["curl -sS https://a.example.org/v2/ 2>&1", "curl: (7) the network policy refuses GET https://a.example.org\n", 7],
      ["curl -sS https://a.example.org/v1/x -o f; cat f", "key null null\n", 0],
      ["curl -sfd a=1 --data-urlencode 'b=c d' https://api.example.com/none; echo $?", "22\n", 0],
      ["wget -qO- https://api.example.com/; wget -q https://api.example.com/none; echo $?", "key [secret] null\n8\n", 0],
      ["curl -sS https://169.254.169.254/ 2>&1", "curl: (7) the network policy refuses GET https://169.254.169.254\n", 7],
    ];
    for (const [script, stdout, status] of scripts) {
      const result = await sandbox.exec(script);
      equal([result.stdout, result.exitCode], [stdout, status], `${script} (${result.stderr})`);
    }
    equal(asked.includes("POST https://api.example.com/none t0k3n a=1&b=c+d"), true, asked.join());
    ok(!asked.some((line) => /PUT|v2|169/.test(line)), "nothing that was refused was asked");
    await rejects((async () => new Sandbox({ network: ["https://a*.com"] }))(), (e) => e instanceof InvalidError, "a rule");
    const slow = new Sandbox({ network, fetch: (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason))) });
    equal((await slow.exec("curl -s https://api.example.com/", { timeoutMs: 100 })).exitCode, 124, "a time-out");
  };

  all["a closed sandbox refuses"] = async () => {
    const sandbox = new Sandbox();
    const branch = sandbox.fork();
    await sandbox.close();
    await rejects(sandbox.exec("true"), (e) => e.code === "SANDBOX_UNAVAILABLE", "exec");
    equal((await branch.exec("echo on")).stdout, "on\n", "its branch");
  };

  return all;
}

export const runAll = (offshoot, say) => runCases(cases(offshoot), say);

/** Runs every case; the names of those that hold, and what went wrong with the others. `say` is told each as it ends. */
export async function runCases(all, say = () => undefined) {
  const passed = [];
  const failed = [];
  for (const [name, run] of Object.entries(all)) {
    const started = performance.now();
    try {
      const part = await run();
      passed.push(`${name} (${Math.round(performance.now() - started)} ms)${part ? `, ${part}` : ""}`);
      say(`ok ${passed.at(-1)}`);
    } catch (error) {
      failed.push(`${name}: ${error?.message ?? error}`);
      say(`not ok ${failed.at(-1)}`);
    }
  }
  return { passed, failed };
}
