import { once } from "node:events";
import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { Environment } from "../env.ts";
import { DomainError } from "../errors.ts";

/** Streams and settings of the process that runs the command. */
export interface Io {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Whether stdout is a terminal. */
  readonly isTTY: boolean;
  /** Whether stderr is a terminal. */
  readonly isStderrTTY?: boolean;
  readonly environment: Environment;
  /** Longest wait in ms until all nodes have applied a change, if it is not the default. */
  readonly appliedWithinMs?: number | undefined;
}

/** Writes a text, and waits until the stream takes more. */
export async function put(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

/** Text of a file. `-` is standard input. */
export async function readText(file: string, { stdin }: Io, mostBytes: number): Promise<string> {
  if (file === "-") return gather(stdin, mostBytes);
  try {
    const handle = await open(file);
    return await gather(handle.createReadStream(), mostBytes);
  } catch (error) {
    if (error instanceof DomainError || !(error instanceof Error)) throw error;
    throw new DomainError("bad-input", `The file cannot be read: ${error.message}.`, { file: error.message });
  }
}

async function gather(stream: AsyncIterable<Buffer | string>, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size <= mostBytes) continue;
    const message = `The file is too large. The limit is ${mostBytes / 1_000_000} MB.`;
    throw new DomainError("bad-input", message, { file: message });
  }
  return Buffer.concat(chunks).toString("utf8");
}
