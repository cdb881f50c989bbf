import { type Offender, offender } from "@/lib/queries/offenders.ts";

const reading = {
  ...{ rule: "req/ip/2", algorithm: "fixed", periodSeconds: 1_800, isShadowed: false },
  ...{ used: 600, limit: 600, resetMs: 108_000, isOver: true },
};

export const counter = (some: Partial<typeof reading> = {}) => ({ ...reading, ...some });

export const estimate = (some: Partial<typeof reading> = {}) => ({
  ...{ ...reading, rule: "rate/ip", algorithm: "earrrl", periodSeconds: 90, used: 0.8213, limit: 0.5 },
  ...some,
});

/** An offender, throttled unless something else is wanted. */
export const offenderOf = (client: string, some: Partial<Offender> = {}): Offender =>
  offender.parse({
    ...{ kind: "ip", client, app: "shop", requests: 900, denied: 300 },
    ...{ requestsPerSecond: 9, deniedPerSecond: 3, counter: counter(), estimate: null },
    ...{ standing: "throttled", clearsMs: 108_000, paths: [], network: null, customers: [] },
    ...some,
  });
