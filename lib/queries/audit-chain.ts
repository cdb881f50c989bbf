import { z } from "zod";
import type { ChainVerification } from "../manage/audit/chain.ts";
import { ReadError } from "./query.ts";

const progress = z.object({ checked: z.number(), of: z.number(), faults: z.number() });
export type ChainProgress = z.output<typeof progress>;
const report = z.object({
  records: z.number(),
  problems: z.array(z.string()),
  problemCount: z.number(),
}) satisfies z.ZodType<ChainVerification>;
const line = z.union([progress, report, z.object({ error: z.string() })]);

export type { ChainVerification };

/** Checks the whole log, which may take a while. `onProgress` is called during the check. */
export async function checkChain(
  onProgress: (progress: ChainProgress) => void,
  signal: AbortSignal,
): Promise<ChainVerification> {
  const response = await fetch("/api/audit/chain", { cache: "no-store", signal });
  if (!response.ok || !response.body) throw new ReadError(response.status, "The log cannot be checked now.");
  for await (const line of linesOf(response.body)) {
    if ("error" in line) throw new ReadError(0, line.error);
    if ("records" in line) return line;
    onProgress(line);
  }
  throw new ReadError(0, "The check ended before it was done. Try again.");
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<z.output<typeof line>> {
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
