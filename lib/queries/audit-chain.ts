import { z } from "zod";
import { ReadError } from "./query.ts";

const line = z.union([
  z.object({ checked: z.number(), of: z.number(), faults: z.number() }),
  z.object({ records: z.number(), problems: z.array(z.string()), problemCount: z.number() }),
  z.object({ error: z.string() }),
]);
type Line = z.output<typeof line>;
export type ChainProgress = Extract<Line, { checked: number }>;
export type ChainReport = Extract<Line, { records: number }>;

/** Checks the whole log, which may take a while: how far it has come is told line by line. */
export async function checkChain(
  onProgress: (progress: ChainProgress) => void,
  signal: AbortSignal,
): Promise<ChainReport> {
  const response = await fetch("/api/audit/chain", { cache: "no-store", signal });
  if (!response.ok || !response.body) throw new ReadError(response.status, "The log cannot be checked now.");
  for await (const said of linesOf(response.body)) {
    if ("error" in said) throw new ReadError(0, said.error);
    if ("records" in said) return said;
    onProgress(said);
  }
  throw new ReadError(0, "The check ended before it was done. Try again.");
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield line.parse(JSON.parse(text));
  }
}
