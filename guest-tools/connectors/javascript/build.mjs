// node build.mjs SOURCE WIT COMPONENT: makes a component of a JavaScript module.

import { componentize } from "@bytecodealliance/componentize-js";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Its reader of WIT takes a feature that is off for a mistake where another world names it.
const OFF = /^\s*@unstable\(feature = clocks-timezone\)\n/gm;

const [sourcePath, wit, out] = process.argv.slice(2);
const witPath = await mkdtemp(join(tmpdir(), "wit-"));
try {
  await cp(wit, witPath, { recursive: true });
  for (const file of await readdir(witPath, { recursive: true })) {
    if (!file.endsWith(".wit")) continue;
    const path = join(witPath, file);
    await writeFile(path, (await readFile(path, "utf8")).replace(OFF, ""));
  }
  const disableFeatures = ["stdio"];
  const made = await componentize({ sourcePath, witPath, worldName: "connector", disableFeatures });
  await writeFile(out, made.component);
} finally {
  await rm(witPath, { recursive: true });
}
