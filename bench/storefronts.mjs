import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, start, stop } from "../scripts/children.mjs";
import { chooseFreePort } from "../scripts/ports.mjs";
import { inProject, root } from "../scripts/project.mjs";

const source = inProject("e2e/storefront");
const packages = ["next", "react", "react-dom", "typescript", "@types/node", "@types/react"];

/** A proxy with a plain guard. The storefront's own does more. */
const enforced = `import { createGuard } from "sluice";
import { createProxy } from "sluice/next";

const guard = createGuard({
  redis: process.env.REDIS_URL ?? "",
  app: "storefront",
  trustedProxies: process.env.TRUSTED_PROXIES,
});

export const proxy = createProxy(guard);
`;

const empty = "export function proxy() {}\n";

/** Proxy that enforces nothing, but releases requests together, as a batched answer does. Next handles them cheaper then. */
const gate = `let gate: Promise<void> | undefined;

export function proxy() {
  gate ??= new Promise((open) => setTimeout(open, 1)).then(() => {
    gate = undefined;
  });
  return gate;
}
`;

/** Builds one app outside the project three times: enforced by the packed library, with an empty proxy, and with a gate. */
export async function buildStorefronts() {
  const base = join(tmpdir(), "sluice-bench");
  mkdirSync(base, { recursive: true });
  const words = ["run", "--silent", "pack:lib", "--", "--silent", "--pack-destination", base];
  const packed = join(base, (await npm(root, ...words)).trim().split("\n").at(-1) ?? "");
  const stamp = createHash("sha1")
    .update(readFileSync(packed))
    .update(enforced + gate)
    .digest("hex")
    .slice(0, 12);
  const at = (/** @type {string} */ name) => join(base, stamp, name);
  const folders = { enforced: at("enforced"), empty: at("empty"), gate: at("gate") };
  if (existsSync(join(folders.gate, ".next/BUILD_ID"))) return folders;

  rmSync(join(base, stamp), { recursive: true, force: true });
  cpSync(source, folders.enforced, { recursive: true, filter: (path) => !/node_modules|\.next$/.test(path) });
  await npm(folders.enforced, "install", "--no-audit", "--no-fund", packed, ...packages.map(asInProject));
  writeFileSync(join(folders.enforced, "proxy.ts"), enforced);
  for (const { folder, proxy } of [
    { folder: folders.empty, proxy: empty },
    { folder: folders.gate, proxy: gate },
  ]) {
    cpSync(folders.enforced, folder, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(folder, "proxy.ts"), proxy);
    rmSync(join(folder, "instrumentation.ts"));
  }
  for (const folder of Object.values(folders)) await npm(folder, "run", "build");
  return folders;
}

/**
 * @typedef {{ url: string, pid: number, stop: () => Promise<void> }} Storefront
 * @param {string} folder @param {Record<string, string>} environment @returns {Promise<Storefront>}
 */
export async function startStorefront(folder, environment) {
  const port = await chooseFreePort();
  const words = [
    "node_modules/next/dist/bin/next",
    "start",
    "--hostname",
    "127.0.0.1",
    "--port",
    String(port),
  ];
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, NODE_ENV: "production", ...environment };
  const child = start("storefront", process.execPath, words, { cwd: folder, env });
  const { stdout } = child.process;
  while (!child.tail().includes("Ready in")) {
    const isOver = await Promise.race([child.exited, stdout && once(stdout, "data").then(() => "")]);
    if (isOver) throw new Error(`The storefront did not start (${isOver}):\n${child.tail()}`);
  }
  const url = `http://127.0.0.1:${port}/api/stock`;
  await (await fetch(url)).arrayBuffer();
  return { url, pid: child.process.pid ?? 0, stop: () => stop(child) };
}

/** @param {string} cwd @param {string[]} words */
function npm(cwd, ...words) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NEXT_IGNORE_INCORRECT_LOCKFILE: "1" };
  return run("npm", words, { cwd, env });
}

/** @param {string} name */
function asInProject(name) {
  return `${name}@${JSON.parse(readFileSync(inProject("node_modules", name, "package.json"), "utf8")).version}`;
}
