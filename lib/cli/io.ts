import { once } from "node:events";
import type { Writable } from "node:stream";
import type { Environment } from "../env.ts";

/** What the command has of the world around it, besides Redis. */
export interface Io {
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** A person reads stdout as it is. */
  readonly isTTY: boolean;
  readonly environment: Environment;
}

/** Writes no faster than the other end reads. */
export async function put(stream: Writable, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}
