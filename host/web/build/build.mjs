// Builds the package: build.mjs OUT METER TREE SHELL PROGRAMS…
//
// METER is the program `offshoot-web-meter`, which lets what guests compute be stopped. TREE, SHELL and PROGRAMS are components. PROGRAMS are the families of commands, each named after its family
// (`offshoot-text.wasm` or `offshoot_text.wasm`), or one with all of them (`offshoot-programs.wasm`). One named
// `python3.wasm` is the command of that name.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { composition } from "./compose.mjs";
import { coreModule, limited } from "./core.mjs";
import { interfaces } from "./wit.mjs";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const ROOT = join(HERE, "..", "..");
/** Pages of memory of one process: 256 MiB, as the native runtime gives by default, and `MOST_MEMORY` in `src/engine.ts`. */
const PAGES = 4096;
/** The trees of all sandboxes are in one memory. */
const TREE_PAGES = 65_536;

const [out, meter, tree, shell, ...programs] = process.argv.slice(2);
if (programs.length === 0) {
  console.error("usage: build.mjs OUT METER TREE SHELL PROGRAMS…");
  process.exit(2);
}

const family = (path) => basename(path, ".wasm").replace(/^offshoot[-_]/, "").replace(/^programs[-_]/, "");
/** Languages: components of several modules, each a command of its name. */
const LANGUAGES = { python3: ["python3"] };
const isLanguage = (path) => family(path) in LANGUAGES;
const families = new Map(programs.filter((path) => !isLanguage(path)).map((path) => [family(path), path]));
const languages = new Map(programs.filter(isLanguage).map((path) => [family(path), path]));

/** The component of each command. */
function commands() {
  const table = {};
  const lines = readFileSync(join(ROOT, "guest-tools/programs/commands.txt"), "utf8").split("\n");
  for (const line of lines.filter((line) => line !== "" && !line.startsWith("#"))) {
    const [name, of] = line.split(" ");
    const component = families.has(of) ? of : "programs";
    if (families.has(component)) table[name] = component;
  }
  for (const language of languages.keys()) for (const name of LANGUAGES[language]) table[name] = language;
  return table;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "dist/wasm"), { recursive: true });
cpSync(join(HERE, "src"), join(out, "src"), { recursive: true });
for (const file of ["package.json", "tsconfig.json", "README.md"]) cpSync(join(HERE, file), join(out, file));

const wanted = /^(wasi:(io|cli|clocks|filesystem|random|sockets)|offshoot:(sandbox\/(vfs|process|shell)$|web))/;
const signatures = interfaces([join(ROOT, "wit"), join(HERE, "tree/wit")], (name) => wanted.test(name));
const table = commands();
const generated = (name, type, value) => `// Generated.\nexport const ${name}: ${type} = ${JSON.stringify(value)};\n`;
writeFileSync(join(out, "src/signatures.ts"), generated("SIGNATURES", "Record<string, unknown>", signatures));

/** A module of a guest as it is shipped: with a counter, and with a limit of memory. */
function shipped(module) {
  const work = mkdtempSync(join(tmpdir(), "offshoot-web-"));
  try {
    const [from, to] = ["in.wasm", "out.wasm"].map((name) => join(work, name));
    writeFileSync(from, module);
    execFileSync(meter, [from, to], { stdio: "inherit" });
    return limited(readFileSync(to), PAGES);
  } finally {
    rmSync(work, { recursive: true });
  }
}

const compositions = {};
const counts = {};
for (const [name, path] of languages) {
  const { modules, plan } = composition(readFileSync(path));
  compositions[name] = plan;
  counts[name] = modules.length;
  modules.forEach((module, n) => writeFileSync(join(out, "dist/wasm", `${name}.${n}.wasm`), shipped(module)));
}
const composed = `export const COMPOSED: Record<string, number> = ${JSON.stringify(counts)};\n`;
writeFileSync(join(out, "src/commands.ts"), generated("COMMANDS", "Record<string, string>", table) + composed);
writeFileSync(join(out, "src/compositions.ts"), generated("COMPOSITIONS", "Record<string, unknown>", compositions));

// The shell gives way by itself, and a counter would cost it a third of its speed.
const plain = { tree: TREE_PAGES, shell: PAGES };
const modules = new Map([["tree", tree], ["shell", shell], ...families]);
for (const [name, path] of modules) {
  const module = coreModule(readFileSync(path));
  writeFileSync(join(out, "dist/wasm", `${name}.wasm`), plain[name] ? limited(module, plain[name]) : shipped(module));
}

// Where compiling is forbidden, each module is an import.
const names = [...modules.keys()];
const imports = names.map((name, n) => `import module${n} from "./wasm/${name}.wasm";`);
const entries = names.map((name, n) => `  ${JSON.stringify(name)}: module${n},`);
writeFileSync(
  join(out, "dist/workerd.js"),
  `// Generated: the package for hosts that import modules of WebAssembly.
${imports.join("\n")}
import { Engine, useEngine } from "./core.js";
export * from "./core.js";
const modules = {
${entries.join("\n")}
};
const load = (name) => {
  if (modules[name]) return modules[name];
  throw new Error(name + " is not among the modules of this build");
};
export const engine = await Engine.load({ load, loadNow: load });
useEngine(engine);
`,
);
