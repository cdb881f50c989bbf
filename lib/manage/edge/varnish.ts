import { readFile } from "node:fs/promises";
import { isKey } from "../../enforce/policy/fingerprint.ts";
import { type Changes, type Dictionary, EdgeError } from "./dictionary.ts";
import { openVarnishLine, type VarnishLine, whereIs } from "./varnish-line.ts";
import { compile, discard, running, show, use } from "./varnish-programs.ts";
import { readTable, tableText } from "./varnish-table.ts";
import { readTableFile, writeTableFile } from "./varnish-table-file.ts";

export interface VarnishSettings {
  readonly host: string;
  readonly port: number;
  /** File that varnishd got with -S. */
  readonly secretFile: string;
  /** File beside the `sluice.vcl` that the site's VCL includes. Sluice must be able to write to its folder. */
  readonly tableFile: string;
  /** The site's VCL, as varnishd got it with -f. */
  readonly vclFile: string;
  readonly capacity?: number;
}

const defaultCapacity = 1_000;

/** Varnish with `deploy/varnish/sluice.vcl`. The table is part of its program, which is compiled again without a restart. */
export function varnishDictionary(settings: VarnishSettings): Dictionary {
  const lines = new Set<VarnishLine>();
  const connected = async <T>(work: (line: VarnishLine) => Promise<T>): Promise<T> => {
    const secret = await readSecret(settings.secretFile);
    const line = openVarnishLine(settings);
    lines.add(line);
    try {
      await line.authenticate(secret, settings.secretFile);
      return await work(line);
    } finally {
      lines.delete(line);
      line.close();
    }
  };
  return {
    kind: "varnish",
    name: `varnish ${whereIs(settings)}`,
    capacity: settings.capacity ?? defaultCapacity,
    // The table is replaced as a whole.
    changesACall: Number.POSITIVE_INFINITY,
    readEveryMs: 10_000,
    // Each change is compiled.
    restMs: 2_000,
    async read(takeCall) {
      await takeCall();
      return connected(async (line) => (await running(line)).keys);
    },
    async change(changes, takeCall) {
      await takeCall();
      await connected((line) => replace(line, settings, changes));
    },
    close() {
      for (const line of lines) line.close();
    },
  };
}

async function replace(
  line: VarnishLine,
  settings: VarnishSettings,
  { add, remove }: Changes,
): Promise<void> {
  const { vclFile, tableFile } = settings;
  const now = await running(line);
  if (now.file !== vclFile)
    throw new EdgeError(`Varnish runs ${now.file}, but SLUICE_EDGE names ${vclFile}. Nothing was changed.`);
  const keys = new Set(now.keys);
  for (const key of remove) keys.delete(key);
  for (const key of add) if (isKey(key)) keys.add(key);
  if (isSame(keys, now.keys)) return;
  const before = await readTableFile(tableFile);
  await writeTableFile(tableFile, tableText(keys));
  try {
    await load(line, settings, keys);
  } catch (error) {
    // Keeps the working table for a restart of Varnish.
    await writeTableFile(tableFile, before);
    throw error;
  }
}

/** Compiles the program, and makes Varnish run it only if it holds the wanted table. */
async function load(line: VarnishLine, settings: VarnishSettings, keys: ReadonlySet<string>): Promise<void> {
  const { vclFile, tableFile } = settings;
  const name = await compile(line, vclFile);
  const found = readTable(await show(line, name));
  if (!found || !isSame(found, keys)) {
    await discard(line, name);
    throw new EdgeError(
      `${vclFile} does not include ${tableFile} as Sluice wrote it. Name the table beside your sluice.vcl.`,
    );
  }
  await use(line, name);
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((key) => b.has(key));
}

async function readSecret(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new EdgeError(`Varnish's secret cannot be read from ${file}: ${error.code ?? "unknown error"}.`);
  });
}
