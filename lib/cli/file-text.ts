import { open } from "node:fs/promises";
import { DomainError } from "../errors.ts";
import type { Io } from "./io.ts";

/** What stands in a file; `-` is standard input. */
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
    const message = `The file is too long: ${mostBytes / 1_000_000} MB at most.`;
    throw new DomainError("bad-input", message, { file: message });
  }
  return Buffer.concat(chunks).toString("utf8");
}
