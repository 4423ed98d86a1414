// Builds the package: build.mjs OUT TREE SHELL PROGRAMS…
//
// TREE, SHELL and PROGRAMS are components. PROGRAMS are the families of commands, each named after its family
// (`offshoot-text.wasm` or `offshoot_text.wasm`), or one with all of them (`offshoot-programs.wasm`).

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { coreModule, limited } from "./core.mjs";
import { interfaces } from "./wit.mjs";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const ROOT = join(HERE, "..", "..");
/** Pages of memory of one process: 256 MiB, as the native runtime gives by default. */
const PAGES = 4096;
/** The trees of all sandboxes are in one memory. */
const TREE_PAGES = 65_536;

const [out, tree, shell, ...programs] = process.argv.slice(2);
if (programs.length === 0) {
  console.error("usage: build.mjs OUT TREE SHELL PROGRAMS…");
  process.exit(2);
}

const family = (path) => basename(path, ".wasm").replace(/^offshoot[-_]/, "").replace(/^programs[-_]/, "");
const families = new Map(programs.map((path) => [family(path), path]));

/** The component of each command. */
function commands() {
  const table = {};
  const lines = readFileSync(join(ROOT, "guest-tools/programs/commands.txt"), "utf8").split("\n");
  for (const line of lines.filter((line) => line !== "" && !line.startsWith("#"))) {
    const [name, of] = line.split(" ");
    const component = families.has(of) ? of : "programs";
    if (families.has(component)) table[name] = component;
  }
  return table;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "dist/wasm"), { recursive: true });
cpSync(join(HERE, "src"), join(out, "src"), { recursive: true });
for (const file of ["package.json", "tsconfig.json", "README.md"]) cpSync(join(HERE, file), join(out, file));

const wanted = /^(wasi:(io|cli|clocks|filesystem|random)|offshoot:(sandbox\/(vfs|process|shell)$|web))/;
const signatures = interfaces([join(ROOT, "wit"), join(HERE, "tree/wit")], (name) => wanted.test(name));
const table = commands();
const generated = (name, type, value) => `// Generated.\nexport const ${name}: ${type} = ${JSON.stringify(value)};\n`;
writeFileSync(join(out, "src/signatures.ts"), generated("SIGNATURES", "Record<string, unknown>", signatures));
writeFileSync(join(out, "src/commands.ts"), generated("COMMANDS", "Record<string, string>", table));

const modules = new Map([["tree", tree], ["shell", shell], ...families]);
for (const [name, path] of modules) {
  const module = limited(coreModule(readFileSync(path)), name === "tree" ? TREE_PAGES : PAGES);
  writeFileSync(join(out, "dist/wasm", `${name}.wasm`), module);
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
export const engine = await Engine.load({ load: (name) => modules[name], loadNow: (name) => modules[name] });
useEngine(engine);
`,
);
