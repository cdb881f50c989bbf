import { readPolicy } from "../../enforce/policy/versions.ts";
import { errorLine } from "../../errors.ts";
import { Lease, repeat } from "../../redis/lease.ts";
import type { Signed } from "../audit/record.ts";
import { savePolicy } from "./save.ts";

interface EndNoterOptions {
  readonly context: Omit<Signed, "actor">;
  /** Notes what else has ended. Returns how much. */
  readonly noteOthers?: (ctx: Signed) => Promise<number>;
  readonly everyMs?: number;
  readonly log?: (line: string) => void;
}

const leaseMs = 15_000;

/**
 * Saves what of the policy has ended as the next version, so that versions and the audit log have it. Nodes do not wait for it: they know
 * when it ends. Of all consoles, one does.
 */
export class EndNoter {
  readonly #context: Omit<Signed, "actor">;
  readonly #noteOthers: (ctx: Signed) => Promise<number>;
  readonly #everyMs: number;
  readonly #log: (line: string) => void;
  readonly #lease: Lease;
  readonly #end = new AbortController();
  #hasFailed = false;

  constructor({ context, noteOthers = async () => 0, everyMs = 2_000, log = console.warn }: EndNoterOptions) {
    this.#context = context;
    this.#noteOthers = noteOthers;
    this.#everyMs = everyMs;
    this.#log = log;
    this.#lease = new Lease(context.redis, "policy-ends", leaseMs);
  }

  async run(): Promise<void> {
    await repeat(this.#end.signal, this.#everyMs, () => this.once());
    await this.#lease.release();
  }

  stop(): void {
    this.#end.abort();
  }

  /** Returns whether something had ended. */
  async once(): Promise<boolean> {
    try {
      if (!(await this.#lease.isOurs())) return false;
      const ctx = { ...this.#context, actor: { name: "schedule", via: "schedule" } };
      const back = await this.#noteOthers(ctx);
      const { hasEnded, problem } = await readPolicy(this.#context.redis);
      this.#hasFailed = false;
      if (!hasEnded || problem !== undefined) return back > 0;
      const { change } = await savePolicy(ctx, {
        action: "policy.ended",
        reason: "its time is over",
        make: ({ policy }) => policy,
      });
      return change !== null || back > 0;
    } catch (error) {
      if (!this.#hasFailed)
        this.#log(
          `sluice: what has ended is not in the audit log and the versions of the policy. Retrying. ${errorLine(error)}`,
        );
      this.#hasFailed = true;
      return false;
    }
  }
}
