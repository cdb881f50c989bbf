import { oncePerProcess } from "../../redis/once-per-process.ts";

const noted = () => oncePerProcess("next version", (): { version?: string } => ({}));

/** The version of Next that runs this process. Undefined outside of Next. */
export function nextVersion(): string | undefined {
  return noted().version;
}

/** For a process that Next runs: reads which Next the app in this folder has. */
export function noteNextVersion(folder = process.cwd()): void {
  try {
    // Not by an import, which bundlers would follow. Node before 20.16 does not have it, and tells no version.
    const { createRequire } = process.getBuiltinModule("node:module");
    const { version }: { version?: unknown } = createRequire(`${folder}/`)("next/package.json");
    if (typeof version === "string") noted().version = version.slice(0, 32);
  } catch {
    // An app in which Next cannot be found tells no version.
  }
}

/** What a node reports of itself; equal to package.json's version. */
export const version = "0.1.0";
