import {
  type CodeLimit,
  differs,
  type LimitOverride,
  limitField,
  parseOverride,
  type ReportedLimit,
  readLimitField,
  readReportedLimits,
  withOverride,
} from "../../enforce/policy/code-limits.ts";
import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";

/** What an admin has published for a limit of code. */
export interface PublishedLimit extends LimitOverride {
  readonly by: string;
  /** ISO; "" where another program wrote it. */
  readonly at: string;
  readonly reason: string;
}

/** A limit of code, beside what is published for it. */
export interface LimitStanding {
  /** `<app>/<name>` */
  readonly field: string;
  readonly app: string;
  readonly name: string;
  /** Undefined where no node has reported it for a week. */
  readonly code: ReportedLimit | undefined;
  readonly published: PublishedLimit | undefined;
  /** As nodes enforce it. Undefined where no node has it. */
  readonly inForce: CodeLimit | undefined;
  /** Why what is published is not in force. */
  readonly problem: string | undefined;
  /** The numbers or the mode in force are not those of the code. */
  readonly isDifferent: boolean;
}

/** All limits of code that nodes report, or for which something is published. */
export async function readLimits(redis: Connection, nowMs: number): Promise<LimitStanding[]> {
  const [reported, published] = await Promise.all([readReportedLimits(redis, nowMs), readPublished(redis)]);
  const known = new Map(reported.map((limit) => [limitField(limit), limit]));
  const gone = [...published.keys()].filter((field) => !known.has(field));
  return [...known.keys(), ...gone].flatMap((field) => {
    const place = readLimitField(field);
    return place ? [standingOf(field, place, known.get(field), published.get(field))] : [];
  });
}

function standingOf(
  field: string,
  { app, name }: Pick<CodeLimit, "app" | "name">,
  code: ReportedLimit | undefined,
  published: PublishedLimit | undefined,
): LimitStanding {
  const { limit, problem } = code ? withOverride(code, published) : {};
  const isDifferent = code !== undefined && published !== undefined && !problem && differs(code, published);
  return { field, app, name, code, published, inForce: limit, problem, isDifferent };
}

async function readPublished(redis: Connection): Promise<Map<string, PublishedLimit>> {
  const isHash = (await redis.type(keys.limitOverrides())) === "hash";
  const hash = isHash ? await redis.hgetall(keys.limitOverrides()) : {};
  return new Map(
    Object.entries(hash).flatMap(([field, text]) => {
      const override = parseOverride(text);
      const { by = "", at = "", reason = "" } = parseObject(text) ?? {};
      return override
        ? [[field, { ...override, by: String(by), at: String(at), reason: String(reason) }]]
        : [];
    }),
  );
}
