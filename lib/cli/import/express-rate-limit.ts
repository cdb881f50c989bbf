import { codeNameOf, ImportDraft, type Imported, type ImportedRule, sayCode } from "./imported.ts";
import { type FoundCall, JavaScriptFile, type ObjectValue, textOfValue, type Value } from "./javascript.ts";
import { clientOf, limitOf, matchOf, nameFor, numberIn, secondsOf, shortened } from "./javascript-limiter.ts";

const packageName = /^express-rate-limit$/;
const usualNames = ["rateLimit", "rateLimiter", "RateLimit"];
const defaults = { windowMs: 60_000, limit: 5, ipv6Subnet: 56 } as const;

/** Options that have the same effect here, or none that a policy decides. */
const without = new Set([
  "store",
  "identifier",
  "validate",
  "headers",
  "standardHeaders",
  "logger",
  "retryAfter",
]);

/** What to do instead of an option. */
const insteadOf: Readonly<Record<string, string>> = {
  handler: "Give the app's own answer with onDenied of createMiddleware.",
  skipSuccessfulRequests: 'Write "countWhen": "failed" in the rule, so that only failed requests count.',
  skipFailedRequests: 'Write "countWhen": { "status": [200, 201, 204] } with the statuses that count.',
  requestWasSuccessful: 'Write "countWhen": { "status": [...] } with the statuses that count.',
  requestPropertyName: "Read what is left from verdict.headers or guard.usage, not from the request.",
  legacyHeaders: "Clients read RateLimit and Retry-After, which Sluice always sends.",
  passOnStoreError: 'Write "onStoreError": "closed" in the rule to deny while the counters do not answer.',
};

/** Reads the limiters of a file that uses express-rate-limit. */
export function importExpressRateLimit(source: string): Imported {
  const file = new JavaScriptFile(source);
  const draft = new ImportDraft();
  const imported = [...file.importsOf(packageName)].flatMap(([name, of]) =>
    of === "default" || of === "rateLimit" ? [name] : [],
  );
  const calls = file.callsOf(new Set(imported.length > 0 ? imported : usualNames));
  for (const call of calls) addLimiter(file, call, call.args[0], draft);
  if (calls.length === 0)
    for (const { value, variable } of file.objectsWith("windowMs"))
      addOptions(file, undefined, value, draft, variable);
  return draft.done();
}

function addLimiter(
  file: JavaScriptFile,
  call: FoundCall,
  options: Value | undefined,
  draft: ImportDraft,
): void {
  const empty: ObjectValue = { kind: "object", fields: new Map(), spreads: [], line: call.line };
  if (options === undefined) addOptions(file, call, empty, draft);
  else if (options.kind === "object") addOptions(file, call, options, draft);
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
  const windowMs = numberIn(fields.get("windowMs"), "windowMs", defaults.windowMs, draft);
  const most = numberIn(fields.get("limit") ?? fields.get("max"), "limit", defaults.limit, draft);
  if (windowMs === undefined || most === undefined) return;
  const periodSeconds = secondsOf(windowMs, fields.get("windowMs")?.line ?? line, draft);
  const limit = limitOf(most, (fields.get("limit") ?? fields.get("max"))?.line ?? line, draft);
  if (periodSeconds === undefined || limit === undefined) return;
  const match = matchOf(file, call, draft);
  const name = nameFor(call, match, variable ?? "rate-limit");
  const key = fields.get("keyGenerator");
  const client = key ? clientOf(textOfValue(key), name, key.line, draft) : "ip";
  draft.add({
    ...{ name, client, algorithm: "first-hit" as const, levels: [{ limit, periodSeconds }] },
    ...(match && { match }),
    ...(client === "ip" && { ipv6Prefix: ipv6Prefix(fields, line, key, draft) }),
    ...responseOf(fields, draft),
  });
  noteOthers(fields, name, draft);
}

/** express-rate-limit 8 counts the /56 of an IPv6 address. */
function ipv6Prefix(
  fields: ObjectValue["fields"],
  line: number,
  key: Value | undefined,
  draft: ImportDraft,
): number {
  const given = fields.get("ipv6Subnet");
  if (given?.kind === "number" && given.value >= 32 && given.value <= 64) return given.value;
  if (given) {
    draft.note(
      given.line,
      "Sluice counts IPv6 addresses by their network.",
      'Write "ipv6Prefix" from 32 to 64; the rule has 64.',
    );
    return 64;
  }
  if (key) return 64;
  draft.note(
    line,
    "express-rate-limit 8 counts IPv6 addresses by their /56, so the rule does. Earlier versions count each address.",
    'Write "ipv6Prefix": 64 to count by the network that a client has at least.',
  );
  return defaults.ipv6Subnet;
}

function responseOf(fields: ObjectValue["fields"], draft: ImportDraft): Pick<ImportedRule, "response"> {
  const [message, status] = [fields.get("message"), fields.get("statusCode")];
  const isText = message?.kind === "text" && message.value.length > 0 && message.value.length <= 500;
  if (message && !isText)
    draft.note(
      message.line,
      "The message is no text of at most 500 characters.",
      'Write it in "response": { "message" }, or answer with onDenied of createMiddleware.',
    );
  const isStatus = status?.kind === "number" && (status.value === 429 || status.value === 503);
  if (status && !isStatus)
    draft.note(status.line, "Sluice answers with 429 or 503.", "Answer with onDenied of createMiddleware.");
  const response = {
    ...(isText && { message: message.value }),
    ...(isStatus && { status: status.value as 429 | 503 }),
  };
  return Object.keys(response).length > 0 ? { response } : {};
}

function noteOthers(fields: ObjectValue["fields"], rule: string, draft: ImportDraft): void {
  const read = ["windowMs", "limit", "max", "keyGenerator", "ipv6Subnet", "message", "statusCode"];
  for (const [name, value] of fields) {
    if (read.includes(name) || without.has(name) || isHarmless(name, value)) continue;
    if (name === "skip") noteSkip(value, rule, draft);
    else
      draft.note(
        value.line,
        `${name} has no field in a rule.`,
        insteadOf[name] ?? "Look it up in the documentation of express-rate-limit: it is unknown here.",
      );
  }
}

/** What says nothing that is not so here, too. */
function isHarmless(name: string, value: Value): boolean {
  if (name === "requestPropertyName") return value.kind === "text" && value.value === "rateLimit";
  const isTrue = value.kind === "boolean" && value.value;
  const isFalse = value.kind === "boolean" && !value.value;
  if (name === "passOnStoreError") return isTrue;
  return isFalse && ["legacyHeaders", "skipSuccessfulRequests", "skipFailedRequests"].includes(name);
}

function noteSkip(value: Value, rule: string, draft: ImportDraft): void {
  const text = value.kind === "code" ? value.text : "";
  const says = `skip: ${shortened(text)} is code, so the rule counts these requests, too.`;
  if (/\.path|\.url|originalUrl/.test(text))
    draft.note(value.line, says, 'Write the paths in "match": { "except": ["/health"] }.');
  else if (/\.ip\b/.test(text))
    draft.note(value.line, says, "Safelist the addresses: sluice safelist add <address> --ttl never.");
  else {
    const code = codeNameOf(rule);
    draft.note(
      value.line,
      says,
      `${sayCode(code, "isSkipped(request) ? undefined : request.ip")}, with "client": { "code": "${code}" }.`,
    );
  }
}
