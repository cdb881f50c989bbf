import * as z from "zod/mini";
import type { Situation } from "../observe/stats/situation.ts";
import { query, withParameters } from "./query.ts";

const modeSwitch = z.object({ at: z.nullable(z.string()), by: z.nullable(z.string()), reason: z.string() });
const highSince = z.object({ at: z.number(), isEarlier: z.boolean() });
const client = z.object({
  client: z.string(),
  requests: z.number(),
  denied: z.number(),
  app: z.string(),
  network: z.optional(z.object({ asn: z.number(), name: z.optional(z.string()) })),
  customers: z.optional(z.readonly(z.array(z.string()))),
  isBlocked: z.boolean(),
});
const named = {
  clients: z.readonly(z.array(client)),
  share: z.object({ percent: z.number(), isLeast: z.boolean() }),
  network: z.optional(z.string()),
};

const situation = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("unknown"),
    cause: z.enum(["nodes", "reports", "counters"]),
    apps: z.readonly(z.array(z.string())),
  }),
  z.object({ kind: z.enum(["off", "shadow"]), since: z.optional(modeSwitch) }),
  z.object({ kind: z.literal("attack"), since: highSince, ...named }),
  z.object({
    kind: z.literal("elevated"),
    since: highSince,
    reason: z.discriminatedUnion("is", [
      z.object({ is: z.literal("blocked"), ...named }),
      z.object({ is: z.literal("customers"), customers: z.readonly(z.array(z.string())), ...named }),
      z.object({ is: z.literal("clients"), ...named }),
      z.object({
        is: z.literal("change"),
        change: z.object({ at: z.number(), action: z.string(), text: z.string() }),
      }),
      z.object({ is: z.literal("spread") }),
    ]),
  }),
  z.object({ kind: z.literal("quiet"), against: z.optional(z.enum(["below", "usual", "above"])) }),
]) satisfies z.ZodMiniType<Situation, unknown>;

export type { DeniedClient, NamedClients, Situation } from "../observe/stats/situation.ts";

const usualRate = z.object({ low: z.number(), median: z.number(), high: z.number() });

export const situationReply = z.object({
  asOf: z.number(),
  situation,
  /** Of the last minute, per second. */
  minute: z.object({
    safelisted: z.number(),
    pass: z.number(),
    throttled: z.number(),
    blocked: z.number(),
  }),
  /** Of this hour on earlier days. Null while too few of them are known. */
  usual: z.nullable(z.object({ requests: usualRate, denied: usualRate, days: z.number() })),
  /** Start of the time in which clients and customers were counted, in ms. */
  from: z.number(),
  /** Signed-in customers with denials since then, most first. */
  customers: z.array(z.object({ customer: z.string(), denied: z.number() })),
  /** False: more customers may have denials. */
  isAllCustomers: z.boolean(),
});
export type SituationReply = z.output<typeof situationReply>;

/** Whether there is an attack now. */
export const situationNow = ({ app }: { app?: string | undefined }) =>
  query(["situation", app ?? ""], withParameters("/api/situation", { app }), situationReply);
