import { parseDuration } from "../../enforce/lists/entry.ts";
import { ImportDraft, type Imported, type ImportedRule, ruleNameOf } from "./imported.ts";
import { type CallValue, type FoundCall, JavaScriptFile, textOfValue, type Value } from "./javascript.ts";
import { clientOf, limitOf, nameFor, numberIn, secondsOf, shortened } from "./javascript-limiter.ts";

const packageName = /^@upstash\/ratelimit$/;
const isClass = (name: string) => name === "Ratelimit" || name === "MultiRegionRatelimit";

/** Options that have the same effect here, or none that a policy decides. */
const without = new Set(["redis", "ephemeralCache", "analytics", "enableTelemetry"]);

const insteadOf: Readonly<Record<string, string>> = {
  timeout: "A check of Sluice waits at most 50 ms, then the request passes.",
  enableProtection: "Put addresses on the blocklist: sluice block import <file>.",
  denyListThreshold: "Put addresses on the blocklist: sluice block import <file>.",
  dynamicLimits: "Change the rule in the console or with sluice policy set: nodes follow within a second.",
};

/** Reads the limiters of a file that uses @upstash/ratelimit. */
export function importUpstash(source: string): Imported {
  const file = new JavaScriptFile(source);
  const draft = new ImportDraft();
  const named = [...file.importsOf(packageName)].filter(([, of]) => isClass(of)).map(([name]) => name);
  for (const call of file.callsOf(new Set(named.length > 0 ? named : ["Ratelimit"])))
    addLimiter(file, call, draft);
  return draft.done();
}

function addLimiter(file: JavaScriptFile, call: FoundCall, draft: ImportDraft): void {
  const [options] = call.args;
  const limiter = options?.kind === "object" ? options.fields.get("limiter") : undefined;
  if (options?.kind !== "object" || limiter?.kind !== "call") {
    draft.note(call.line, "The limiter is made by code: no rule was made.", "Write the rule by hand.");
    return;
  }
  const counting = countingOf(limiter, draft);
  if (!counting) return;
  const prefix = options.fields.get("prefix");
  const name = prefix?.kind === "text" ? ruleNameOf(prefix.value) : nameFor(call, undefined, "ratelimit");
  draft.add({ name, ...counting, ...limitedBy(file, call, name, draft) });
  draft.note(
    call.line,
    "The app says which requests are limited, so the rule counts every path.",
    'Write "match": { "only": ["/path"] }.',
  );
  for (const [option, value] of options.fields) {
    if (option === "limiter" || option === "prefix" || without.has(option)) continue;
    if (value.kind === "boolean" && !value.value) continue;
    draft.note(
      value.line,
      `${option} has no field in a rule.`,
      insteadOf[option] ?? "It is unknown here: look it up in the documentation.",
    );
  }
}

type Counting = Pick<Extract<ImportedRule, { levels: "tier" | readonly object[] }>, "slack"> & {
  readonly algorithm: "fixed" | "sliding" | "gcra";
  readonly levels: { limit: number; periodSeconds: number }[];
};

function countingOf({ name, args, line }: CallValue, draft: ImportDraft): Counting | undefined {
  const kind = name.split(".").at(-1);
  const tokens = numberIn(args[0], "the number of tokens", undefined, draft, line);
  const ms = msIn(args[1], draft);
  if (tokens === undefined || ms === undefined) return undefined;
  const most = kind === "tokenBucket" ? numberIn(args[2], "maxTokens", undefined, draft, line) : tokens;
  const limit = most === undefined ? undefined : limitOf(most, line, draft);
  if (limit === undefined) return undefined;
  // A bucket is full after as long as it takes to refill all of it.
  const periodSeconds = secondsOf(kind === "tokenBucket" ? (ms * limit) / tokens : ms, line, draft);
  if (periodSeconds === undefined) return undefined;
  const levels = [{ limit, periodSeconds }];
  switch (kind) {
    case "slidingWindow":
      return { algorithm: "sliding", levels };
    case "fixedWindow":
      return { algorithm: "fixed", levels };
    case "cachedFixedWindow":
      draft.note(
        line,
        "A cached window lets each process count late; the rule is exact.",
        'Write "slack": 0.1 so that few requests wait for Redis.',
      );
      return { algorithm: "fixed", levels };
    case "tokenBucket":
      draft.note(
        line,
        `Upstash refills ${tokens} tokens at once; GCRA refills evenly.`,
        "Check that this is meant.",
      );
      return { algorithm: "gcra", levels };
    default:
      draft.note(line, `${name} is unknown here: no rule was made.`, "Write the rule by hand.");
      return undefined;
  }
}

/** The ms of "10 s". Undefined, with a note, for code. */
function msIn(value: Value | undefined, draft: ImportDraft): number | undefined {
  if (value?.kind === "number") return value.value;
  const text = value?.kind === "text" ? value.value.replace(/\s/g, "") : "";
  const [, ms] = /^(\d{1,12})ms$/.exec(text) ?? [];
  if (ms !== undefined) return Number(ms);
  const parsed = parseDuration(text);
  if (parsed.ok && parsed.value !== null) return parsed.value;
  const shown = value ? shortened(textOfValue(value)) : "the window";
  draft.note(
    value?.line ?? 0,
    `${shown} is no duration in this file: no rule was made.`,
    "Write a rule with the period.",
  );
  return undefined;
}

function limitedBy(
  file: JavaScriptFile,
  call: FoundCall,
  name: string,
  draft: ImportDraft,
): Pick<ImportedRule, "client" | "cost"> {
  const all = file.methodCalls(new Set(["limit", "blockUntilReady"]));
  const own = all.filter(({ of }) => of === call.variable);
  const [use] = own.length > 0 || call.variable !== undefined ? own : all;
  const [key, options] = use?.args ?? [];
  if (!use || !key) {
    draft.note(
      call.line,
      "No call of limit in this file says what is counted: the rule counts addresses.",
      'Write "client".',
    );
    return { client: "ip" };
  }
  const rate = options?.kind === "object" ? options.fields.get("rate") : undefined;
  const cost = rate && ({ cost: rate.kind === "number" ? rate.value : "request" } as const);
  if (rate && rate.kind !== "number")
    draft.note(
      use.line,
      "The rate is code.",
      'The rule has "cost": "request": name the cost in identify: (request) => ({ cost }).',
    );
  if (key.kind === "text") {
    draft.note(
      use.line,
      `All clients share one limit ("${shortened(key.value)}").`,
      'Write "client": { "code": "all" } with clients: { all: () => "all" }.',
    );
    return { client: { code: "all" }, ...cost };
  }
  return { client: clientOf(textOfValue(key), name, use.line, draft), ...cost };
}
