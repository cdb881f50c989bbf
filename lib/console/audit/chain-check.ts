import { z } from "zod";
import { type AuditEnd, type ChainVerification, verifyChain } from "../../manage/audit/chain.ts";
import { keys } from "../../redis/keys.ts";
import type { Console } from "../console.ts";
import { failureOf } from "../failure.ts";
import { read } from "../read.ts";
import { theAuditEnd } from "./audit-watch.ts";

/** A line of the reply to a request that waits for a check. */
export type Line =
  | { readonly checked: number; readonly of: number; readonly faults: number }
  | ChainVerification
  | { readonly error: string };

interface CheckInput extends Pick<Console, "redis" | "seal"> {
  readonly seen?: AuditEnd | undefined;
}

type Watcher = (line: Line, isLast: boolean) => void;

/** Checks the log once for all requests of one time, and stops when all of them have ended. */
export class SharedCheck {
  readonly #watchers = new Set<Watcher>();
  #stop: AbortController | undefined;

  /** @returns what ends the watching */
  watch(given: CheckInput, watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    if (!this.#stop) void this.#run(given, new AbortController());
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#end();
    };
  }

  async #run({ redis, seal, seen }: CheckInput, stop: AbortController): Promise<void> {
    this.#stop = stop;
    const tell = (line: Line, isLast: boolean) => {
      if (this.#stop !== stop) return;
      for (const watcher of this.#watchers) watcher(line, isLast);
    };
    try {
      const of = await redis.xlen(keys.audit());
      const onProgress = (checked: number, faults: number) => tell({ checked, of, faults }, false);
      tell(await verifyChain(redis, seal, { onProgress, signal: stop.signal, seen }), true);
    } catch (error) {
      if (!stop.signal.aborted) tell({ error: failureOf(error, "read").message }, true);
    } finally {
      if (this.#stop === stop) this.#end();
    }
  }

  #end(): void {
    this.#stop?.abort();
    this.#stop = undefined;
    this.#watchers.clear();
  }
}

const shared = new SharedCheck();

/** Lines of JSON: how far the check has come, and at last what it found. */
export const getChainCheck = read("read", z.object({}), async ({ console }) => {
  return new Response(linesOf(console), {
    headers: {
      "content-type": "application/jsonl; charset=utf-8",
      // A proxy that compresses would hold lines back.
      "cache-control": "no-store, no-transform",
    },
  });
});

function linesOf(console: Console): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let leave = () => {};
  return new ReadableStream({
    start(controller) {
      leave = shared.watch({ ...console, seen: theAuditEnd().seen }, (line, isLast) => {
        controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
        if (isLast) controller.close();
      });
    },
    cancel: () => leave(),
  });
}
