import { sendEvidence, sendReport } from "../../enforce/stats/report.ts";
import { type CountedDecision, type RequestText, StatsTally } from "../../enforce/stats/tally.ts";
import type { Connection } from "../../redis/connect.ts";

interface Sent extends Partial<RequestText> {
  readonly ip: string;
  readonly outcome?: CountedDecision["outcome"];
  readonly rule?: string;
  readonly customerId?: string | undefined;
}

/** A node whose clock the test sets. */
export class SimulatedNode {
  readonly #redis: Connection;
  readonly #tally = new StatsTally();

  constructor(redis: Connection) {
    this.#redis = redis;
  }

  check({ ip, outcome = "pass", rule, customerId, ...text }: Sent): void {
    const decision: CountedDecision = {
      ...{ outcome, rule, customerId, network: ip, shadowed: [], isUnsure: false, tookMs: 0.1 },
      ...{ deniedBy: outcome === "throttled" ? rule : undefined, isCustomerUnknown: false },
    };
    this.#tally.note(decision, () => ({
      ...{ ip, method: "GET", host: "shop.example.org", path: "/", userAgent: "Mozilla/5.0" },
      ...text,
    }));
  }

  async report(nowMs: number): Promise<void> {
    const evidence = this.#tally.takeEvidence();
    const report = this.#tally.take();
    if (Math.floor(nowMs / 60_000) !== Math.floor((nowMs - 1_000) / 60_000)) this.#tally.endMinute();
    if (!report) return;
    const of = { app: "shop", node: "n", nowMs };
    await sendReport(this.#redis, { ...of, report: { ...report, seen: [] } });
    await sendEvidence(this.#redis, { ...of, seen: report.seen, evidence });
  }
}
