// `npm run docs`: builds the documentation into .docs/, and serves it on a free port of this machine. `-- --build` only builds it.
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { ensureLib } from "./build-lib.mjs";
import { ensureNode } from "./ensure-node.mjs";
import { ensurePackages } from "./ensure-packages.mjs";
import { main } from "./main.mjs";
import { inProject } from "./project.mjs";
import { alreadyThere, step } from "./steps.mjs";

const siteFolder = inProject(".docs");

const types = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Serves a folder on this machine alone. Resolves to its address. @param {string} folder @returns {Promise<string>} */
function serve(folder) {
  const server = createServer(({ url = "/" }, response) => {
    const file = fileFor(folder, url);
    const type = new Map(Object.entries(types)).get(extname(file ?? "")) ?? "text/plain; charset=utf-8";
    if (file) response.writeHead(200, { "content-type": type }).end(readFileSync(file));
    else response.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.\n");
  });
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/docs/`);
    });
  });
}

/** Undefined for what is no file of the folder. @param {string} folder @param {string} url */
function fileFor(folder, url) {
  try {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    return file.startsWith(`${folder}/`) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

await main(async () => {
  ensureNode();
  await ensurePackages();
  await step("library", async () => ((await ensureLib()) ? undefined : alreadyThere()));
  // It imports packages, which a clean clone does not have before.
  const { buildSite } = await import("./docs-site.mjs");
  await step("pages", async () => `${await buildSite(siteFolder)} in .docs`);
  if (process.argv.includes("--build")) return 0;
  console.log(`\nThe documentation is on ${await serve(siteFolder)}\nCtrl-C stops it.`);
  return new Promise(() => {});
});
