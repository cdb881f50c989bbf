import { ImportDraft, type Imported, type ImportedRule, ruleNameOf } from "./imported.ts";
import { type FoundCall, JavaScriptFile, type ObjectValue, textOfValue } from "./javascript.ts";
import { clientOf, limitOf, nameFor, numberIn, secondsOf, shortened } from "./javascript-limiter.ts";

const packageName = /^rate-limiter-flexible$/;
const isLimiter = /^RateLimiter(?!Union|Queue|Res|Cluster\w|Abstract)\w{0,30}$/;
const usualNames = [
  "Redis",
  "Memory",
  "Mongo",
  "Postgres",
  "MySQL",
  "Memcache",
  "Valkey",
  "Cluster",
  "Prisma",
].map((store) => `RateLimiter${store}`);

/** What to do instead of a class. */
const otherClasses: Readonly<Record<string, string>> = {
  RateLimiterUnion:
    "Write its limiters as rules: each request is checked by all of them, and charged only if all let it pass.",
  RateLimiterQueue: "Sluice denies and does not queue. Wait for verdict.retryAfterSeconds in the app.",
  BurstyRateLimiter: 'Write one rule with "algorithm": "gcra", whose limit is the burst.',
  RLWrapperBlackAndWhite:
    "Put the lists on Sluice's safelist and blocklist: sluice block add, sluice safelist add.",
};

/** Options that have the same effect here, or none that a policy decides. */
const without = new Set([
  ...[
    "storeClient",
    "storeType",
    "tableName",
    "dbName",
    "tableCreated",
    "clearExpiredByTimeout",
    "schemaName",
  ],
  ...[
    "useRedisPackage",
    "useRedis3AndLowerPackage",
    "rejectIfRedisNotReady",
    "timeoutMs",
    "execEvenlyMinDelayMs",
  ],
  ...["inMemoryBlockOnConsumed", "inMemoryBlockDuration", "indexKeyPrefix"],
]);

/** Reads the limiters of a file that uses rate-limiter-flexible. */
export function importRateLimiterFlexible(source: string): Imported {
  const file = new JavaScriptFile(source);
  const draft = new ImportDraft();
  const imports = [...file.importsOf(packageName)];
  const known = imports.filter(([, of]) => isLimiter.test(of)).map(([name]) => name);
  const calls = file.callsOf(new Set([...known, ...usualNames]));
  const insurance = calls.filter((call) => isInsurance(call, calls));
  for (const call of calls) if (!insurance.includes(call)) addLimiter(file, call, draft);
  for (const call of file.callsOf(new Set(Object.keys(otherClasses))))
    draft.note(call.line, `${call.name} is no rule.`, otherClasses[call.name] ?? "");
  if (calls.length === 0)
    for (const { value, variable } of file.objectsWith("points"))
      addOptions(file, undefined, value, draft, variable);
  return draft.done();
}

/** Whether another limiter uses it only while its store is away. */
function isInsurance(call: FoundCall, calls: readonly FoundCall[]): boolean {
  return calls.some((other) => {
    const [options] = other.args;
    const value = options?.kind === "object" ? options.fields.get("insuranceLimiter") : undefined;
    return value?.kind === "call"
      ? value.line === call.line && other !== call
      : value?.kind === "code" && value.text === call.variable;
  });
}

function addLimiter(file: JavaScriptFile, call: FoundCall, draft: ImportDraft): void {
  const [options] = call.args;
  if (options?.kind === "object") addOptions(file, call, options, draft);
  else draft.note(call.line, "The options are made by code: no rule was made.", "Write the rule by hand.");
}

function addOptions(
  file: JavaScriptFile,
  call: FoundCall | undefined,
  { fields, spreads, line }: ObjectValue,
  draft: ImportDraft,
  variable?: string,
): void {
  for (const spread of spreads)
    draft.note(spread.line, "Options that are spread here are made by code.", "Compare them with the rule.");
  const points = numberIn(fields.get("points"), "points", undefined, draft, line);
  const duration = numberIn(fields.get("duration"), "duration", undefined, draft, line);
  if (points === undefined || duration === undefined) return;
  if (duration === 0) {
    draft.note(
      line,
      "A duration of 0 never ends, so no rule was made.",
      "Keep such a count in the app's own database.",
    );
    return;
  }
  const limit = limitOf(points, fields.get("points")?.line ?? line, draft);
  const periodSeconds = secondsOf(duration * 1_000, fields.get("duration")?.line ?? line, draft);
  if (limit === undefined || periodSeconds === undefined) return;
  const prefix = fields.get("keyPrefix");
  const name =
    prefix?.kind === "text" && prefix.value !== ""
      ? ruleNameOf(prefix.value)
      : nameFor(call, undefined, variable ?? "limiter");
  const insurance = fields.get("insuranceLimiter");
  draft.add({
    ...{ name, algorithm: "first-hit" as const, levels: [{ limit, periodSeconds }] },
    ...consumedBy(file, call, name, line, draft),
    ...(insurance && { onStoreError: "model" as const }),
  });
  draft.note(
    line,
    "The app says which requests consume points, so the rule counts every path.",
    'Write "match": { "only": ["/path"] }, or keep the code with SluiceLimiter of sluice/rate-limiter-flexible.',
  );
  noteOthers(fields, periodSeconds, draft);
}

type ConsumedBy = Pick<ImportedRule, "client" | "cost">;

/** What the calls of `consume` count by, and at what cost. */
function consumedBy(
  file: JavaScriptFile,
  call: FoundCall | undefined,
  name: string,
  line: number,
  draft: ImportDraft,
): ConsumedBy {
  const all = file.methodCalls(new Set(["consume"]));
  const own = all.filter(({ of }) => of === call?.variable);
  const [use] = own.length > 0 || call?.variable !== undefined ? own : all;
  const [key, points] = use?.args ?? [];
  if (!use || !key) {
    draft.note(
      line,
      "No call of consume in this file says what is counted: the rule counts addresses.",
      'Write "client".',
    );
    return { client: "ip" };
  }
  const client = clientOf(textOfValue(key), name, use.line, draft);
  if (points === undefined) return { client };
  if (points.kind === "number" && Number.isSafeInteger(points.value) && points.value >= 1)
    return { client, cost: points.value };
  draft.note(
    use.line,
    `The cost ${shortened(textOfValue(points))} is code.`,
    'The rule has "cost": "request": name the cost in identify: (request) => ({ cost }).',
  );
  return { client, cost: "request" };
}

function noteOthers(fields: ObjectValue["fields"], periodSeconds: number, draft: ImportDraft): void {
  const read = ["points", "duration", "keyPrefix"];
  for (const [name, value] of fields) {
    if (read.includes(name) || without.has(name)) continue;
    const isOff =
      (value.kind === "number" && value.value === 0) || (value.kind === "boolean" && !value.value);
    if (isOff) continue;
    const seconds = value.kind === "number" ? value.value : "<seconds>";
    const ban = `{ "after": 1, "withinSeconds": ${periodSeconds}, "forSeconds": ${seconds}, "capSeconds": ${seconds} }`;
    const instead: Readonly<Record<string, string>> = {
      blockDuration: `A ban blocks the whole address in all apps: write "ban": ${ban} if that is meant. Or keep the code with SluiceLimiter.`,
      blockOnConsumed: 'Write "after" of a ban: so many denials, not points.',
      insuranceLimiter:
        'The rule has "onStoreError": "model": each process counts for itself, up to the limit of the rule.',
      execEvenly: 'Write "algorithm": "gcra", which spreads requests by denying, not by waiting.',
    };
    draft.note(
      value.line,
      name === "insuranceLimiter"
        ? "insuranceLimiter has limits of its own."
        : `${name} has no equal in a rule.`,
      instead[name] ?? "It is unknown here: look it up in the documentation.",
    );
  }
}
