import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { npm } from "../fixtures/storefront.ts";

const shipped = readFileSync(
  fileURLToPath(new URL("../../deploy/fastly/sluice.vcl", import.meta.url)),
  "utf8",
);
const falcoVersion = "0.23.2";

/** A service as the head of the shipped file says that it is included. */
const service = `
include "sluice";
table sluice {}
sub vcl_recv {
  #FASTLY recv
  call sluice_recv;
  return(lookup);
}
sub vcl_miss {
  #FASTLY miss
  call sluice_miss;
  return(fetch);
}
sub vcl_pass {
  #FASTLY pass
  call sluice_pass;
  return(pass);
}
sub vcl_error {
  #FASTLY error
  call sluice_error;
  return(deliver);
}
sub vcl_deliver {
  #FASTLY deliver
  call sluice_deliver;
  return(deliver);
}
`;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sluice-falco-"));
  writeFileSync(join(folder, "package.json"), "{}");
  npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund", `falco-js@${falcoVersion}`);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Lint {
  readonly Errors: number;
  readonly Warnings: number;
  readonly Infos: number;
  readonly LintErrors: Readonly<Record<string, readonly { readonly Message: string }[]>>;
  readonly ParseErrors: object;
}

/** What falco, Fastly's linter, finds in a service with this file. */
function lint(vcl: string): Lint {
  const place = mkdtempSync(join(folder, "service-"));
  writeFileSync(join(place, "sluice.vcl"), vcl);
  writeFileSync(join(place, "main.vcl"), service);
  const program = join(folder, `node_modules/falco-js/bin/falco-${process.platform}-amd64`);
  const { stdout, stderr, error } = spawnSync(program, ["lint", "-vv", "-json", "main.vcl"], {
    ...{ cwd: place, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 },
  });
  if (error) throw error;
  if (!stdout.startsWith("{")) throw new Error(stdout + stderr);
  return JSON.parse(stdout);
}

it("finds nothing in the shipped VCL", () => {
  expect(lint(shipped)).toMatchObject({ Errors: 0, Warnings: 0, Infos: 0, LintErrors: {}, ParseErrors: {} });
});

it.each([
  ["another table's name", "table.lookup(sluice, ", "table.lookup(sluise, "],
  ["a variable that is not declared", "declare local var.page STRING;", ""],
  ["a function that Fastly does not have", "digest.hash_sha1(", "digest.hash_sha0("],
  ["a missing semicolon", "error 629;", "error 629"],
])("finds %s", (_, from, to) => {
  expect(shipped).toContain(from);
  const { Errors, ParseErrors } = lint(shipped.replaceAll(from, to));
  expect(Errors + Object.keys(ParseErrors).length).toBeGreaterThan(0);
});
