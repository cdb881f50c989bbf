import { type ChainReport, verifyChain } from "../../../../lib/audit/chain.ts";
import { keys } from "../../../../lib/redis/keys.ts";
import type { Console } from "../../../_server/console.ts";
import { failureOf } from "../../../_server/failure.ts";

/** What whoever waits for a check is told. */
export type Line =
  | { readonly checked: number; readonly of: number; readonly faults: number }
  | ChainReport
  | { readonly error: string };

type Watcher = (line: Line, isLast: boolean) => void;

/** Checks the log once for all who ask for it at the same time, and for nobody when they have all gone. */
export class SharedCheck {
  readonly #watchers = new Set<Watcher>();
  #stop: AbortController | undefined;

  /** @returns what ends the watching */
  watch(console: Pick<Console, "redis" | "seal">, watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    if (!this.#stop) void this.#run(console, new AbortController());
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#end();
    };
  }

  async #run({ redis, seal }: Pick<Console, "redis" | "seal">, stop: AbortController): Promise<void> {
    this.#stop = stop;
    const tell = (line: Line, isLast: boolean) => {
      if (this.#stop !== stop) return;
      for (const watcher of this.#watchers) watcher(line, isLast);
    };
    try {
      const of = await redis.xlen(keys.audit());
      const onProgress = (checked: number, faults: number) => tell({ checked, of, faults }, false);
      tell(await verifyChain(redis, seal, { onProgress, signal: stop.signal }), true);
    } catch (error) {
      if (!stop.signal.aborted) tell({ error: failureOf(error).message }, true);
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
