/** What a bouncer has of a decision. */
interface Enforced {
  readonly scope: string;
  readonly type: string;
  readonly origin: string;
  readonly scenario: string;
  readonly id: number;
  /** Ms of the bouncer's own clock. */
  readonly endsAt: number;
}

interface SentDecision {
  readonly id: number;
  readonly value: string;
  readonly duration: string;
  readonly scope: string;
  readonly type: string;
  readonly origin: string;
  readonly scenario: string;
}

/**
 * A bouncer that does as CrowdSec's: all decisions at its start, then what is new and what is deleted, and each ends by the bouncer's
 * own clock. It keeps the first end of what it has, as the one for nftables does.
 */
export class Bouncer {
  readonly enforced = new Map<string, Enforced>();
  readonly #ask: (search: string) => Promise<Response>;
  #isStarted = false;
  now = () => Date.now();

  constructor(ask: (search: string) => Promise<Response>) {
    this.#ask = ask;
  }

  /** @returns the values of the two lists */
  async poll(): Promise<{ readonly added: readonly string[]; readonly deleted: readonly string[] }> {
    const response = await this.#ask(`?startup=${!this.#isStarted}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    this.#isStarted = true;
    const { new: added, deleted } = JSON.parse(text) as { new: SentDecision[]; deleted: SentDecision[] };
    const now = this.now();
    for (const [value, { endsAt }] of this.enforced) if (endsAt <= now) this.enforced.delete(value);
    for (const { value } of deleted) this.enforced.delete(value);
    for (const { value, duration, ...rest } of added)
      if (!this.enforced.has(value))
        this.enforced.set(value, { ...rest, endsAt: now + milliseconds(duration) });
    return { added: added.map(({ value }) => value), deleted: deleted.map(({ value }) => value) };
  }

  get values(): string[] {
    return [...this.enforced.keys()].sort();
  }
}

/** As Go reads a duration of hours, minutes and seconds. */
export function milliseconds(duration: string): number {
  const [, sign, h = "0", m = "0", s = ""] = /^(-?)(?:(\d+)h)?(?:(\d+)m)?(\d+)s$/.exec(duration) ?? [];
  if (s === "") throw new Error(`${duration} is no duration`);
  return (sign === "-" ? -1_000 : 1_000) * (Number(h) * 3_600 + Number(m) * 60 + Number(s));
}
