import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { EdgeError } from "./dictionary.ts";
import { tableText } from "./varnish-table.ts";

/** The empty table if there is no file. */
export async function readTableFile(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => tableText(new Set()));
}

/** Replaces the file as a whole, even if the power fails: Varnish does not start with half a table. */
export async function writeTableFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  try {
    await writeThrough(draft, text);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const code = error instanceof Error && "code" in error ? error.code : "unknown error";
    throw new EdgeError(
      `The table cannot be written to ${file}: ${code}. Sluice must be able to write to its folder.`,
    );
  }
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx");
  try {
    // Varnish compiles as another user.
    await handle.chmod(0o644);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
