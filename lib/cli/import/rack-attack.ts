import { parseAddress } from "../../ip/parse.ts";
import {
  codeNameOf,
  ImportDraft,
  type Imported,
  type ImportedRule,
  ruleNameOf,
  sayCode,
} from "./imported.ts";
import { limitOf, secondsOf, shortened } from "./javascript-limiter.ts";
import { type RubyArgument, type RubyCall, RubyFile } from "./ruby.ts";

const verbs = ["throttle", "track", "safelist", "blocklist", "whitelist", "blacklist"];
const ipVerbs = ["safelist_ip", "blocklist_ip"];
const responders = /^[^#]{0,80}\b((?:throttled|blocklisted)_respon(?:der|se)) ?=[^=]/;

/** Reads the rules of a rack-attack initializer. */
export function importRackAttack(source: string): Imported {
  const file = new RubyFile(source);
  const draft = new ImportDraft();
  for (const call of file.calls(new Set([...verbs, ...ipVerbs]))) addCall(file, call, draft);
  source.split("\n").forEach((text, i) => {
    const [, responder] = responders.exec(text) ?? [];
    if (responder)
      draft.note(
        i + 1,
        `${responder} is code.`,
        'Write "response": { "message" } in a rule, or answer with onDenied.',
      );
  });
  return draft.done();
}

function addCall(file: RubyFile, call: RubyCall, draft: ImportDraft): void {
  const { name } = call;
  if (name === "throttle") addThrottle(file, call, draft);
  else if (name === "safelist_ip" || name === "blocklist_ip")
    noteAddresses(call, name === "safelist_ip" ? "safelist" : "block", addressesIn(call.args), file, draft);
  else if (name === "safelist" || name === "whitelist") noteList(file, call, "safelist", draft);
  else if (name === "track")
    draft.note(
      call.line,
      `${labelOf(call)} only watches.`,
      "Every rule here is in shadow: write one with the limit to watch.",
    );
  else addBlocklist(file, call, draft);
}

const argument = ({ args }: RubyCall, ...names: string[]) =>
  args.find(({ name }) => name !== undefined && names.includes(name));
const labelOf = ({ name, args }: RubyCall) => `${name} ${args[0]?.tokens[0]?.text ?? ""}`.trim();

function nameOf(call: RubyCall): string {
  const [first] = call.args;
  const token = first?.name === undefined ? first?.tokens[0] : undefined;
  return ruleNameOf(token && (token.kind === "text" || token.kind === "symbol") ? token.value : "throttle");
}

function addThrottle(file: RubyFile, call: RubyCall, draft: ImportDraft): void {
  const name = nameOf(call);
  const limit = numberOf(file, argument(call, "limit"), "limit", call, draft);
  const period = numberOf(file, argument(call, "period"), "period", call, draft);
  if (limit === undefined || period === undefined) return;
  const most = limitOf(limit, call.line, draft);
  const periodSeconds = secondsOf(period * 1_000, call.line, draft);
  if (most === undefined || periodSeconds === undefined) return;
  const counted = countedBy(file, call, name, draft);
  if (!counted) return;
  const level = { limit: most, periodSeconds };
  draft.add({ name, algorithm: "fixed", levels: [level], ...counted });
}

function numberOf(
  file: RubyFile,
  given: RubyArgument | undefined,
  name: string,
  call: RubyCall,
  draft: ImportDraft,
): number | undefined {
  const value = given && file.numberIn(given.tokens);
  if (value !== undefined) return value;
  const text = given ? shortened(file.textOf(given.tokens)) : "missing";
  draft.note(
    given?.line ?? call.line,
    `${name} of ${labelOf(call)} is ${text}, which is no number in this file: no rule was made.`,
    "Write a rule with the number. For limits by plan, write a tier for each.",
  );
  return undefined;
}

type CountedBy = Pick<ImportedRule, "client" | "match">;

/** What a block counts by, and which requests. Code where it says more than a rule can. */
function countedBy(file: RubyFile, call: RubyCall, name: string, draft: ImportDraft): CountedBy | undefined {
  if (!call.block) {
    draft.note(call.line, `${labelOf(call)} has no block here: no rule was made.`, "Write the rule by hand.");
    return undefined;
  }
  const text = file.textOf(call.block.tokens);
  const asked = withoutName(text, call.block.parameter);
  const { condition, value } = splitBlock(asked);
  const client = clientIn(value);
  const match = condition === undefined ? {} : matchIn(condition);
  if (client && match) {
    if (match.only && condition !== undefined && /path ?==/.test(condition))
      draft.note(
        call.line,
        `The rule also counts what lies below ${match.only.join(", ")}.`,
        'Write "except" for such paths.',
      );
    if (match.only && condition !== undefined && /start_with/.test(condition))
      draft.note(
        call.line,
        `start_with? compares letters, a rule whole parts of the path: ${match.only[0]}x is not counted.`,
        "Check that this is meant.",
      );
    return { client, ...(Object.keys(match).length > 0 && { match }) };
  }
  const code = codeNameOf(name);
  draft.note(
    call.line,
    `The block of ${labelOf(call)} is code: ${shortened(text)}`,
    `${sayCode(code, "client or undefined")}, which returns undefined for requests that do not count.`,
  );
  return { client: { code } };
}

/** The block as if its parameter were named `req`. */
function withoutName(text: string, parameter: string): string {
  if (parameter === "req" || !/^\w{1,40}$/.test(parameter)) return text;
  return text.split(`${parameter}.`).join("req.");
}

/** `VALUE if CONDITION`, `if CONDITION VALUE end`, `CONDITION && VALUE`, `CONDITION ? VALUE : nil`. */
function splitBlock(text: string): { readonly condition?: string; readonly value: string } {
  const whole = /^(if|unless) (.+?)(?: then)? (req\.[^ ]{1,200}(?: ?\|\| ?[^ ]{1,100})?) end$/.exec(text);
  if (whole) return conditional(whole[1], whole[2], whole[3]);
  const modified = /^(.{1,300}?) (if|unless) (.{1,1000})$/.exec(text);
  if (modified) return conditional(modified[2], modified[3], modified[1]);
  const chosen = /^(.{1,1000}?) \? (req\.[^ ]{1,200}) : nil$/.exec(text);
  if (chosen) return conditional("if", chosen[1], chosen[2]);
  const joined = text.lastIndexOf(" && ");
  if (joined > 0) return conditional("if", text.slice(0, joined), text.slice(joined + 4));
  return { value: text };
}

function conditional(word: string | undefined, condition = "", value = "") {
  return { condition: word === "unless" ? `!(${condition})` : condition, value };
}

function clientIn(text: string): ImportedRule["client"] | undefined {
  if (/^req\.(ip|remote_ip)(\.to_s)?$/.test(text)) return "ip";
  const [, variable] =
    /^req\.(?:env\[["']HTTP_(\w{1,64})["']\]|get_header\(["']HTTP_(\w{1,64})["']\))$/
      .exec(text)
      ?.filter(Boolean) ?? [];
  if (variable) return { header: variable.toLowerCase().replaceAll("_", "-") };
  const [, cookie] = /^req\.cookies\[["']([\w-]{1,64})["']\]$/.exec(text) ?? [];
  return cookie ? { cookie } : undefined;
}

type RuleMatch = { only?: string[]; except?: string[]; methods?: string[] };

/** Conditions that are all fulfilled. Undefined for what a rule cannot say. */
function matchIn(condition: string): RuleMatch | undefined {
  const match: RuleMatch = {};
  for (const part of partsOf(condition, /^ ?(?:&&|and) ?/)) {
    const found = partIn(part);
    if (!found) return undefined;
    for (const field of ["only", "methods", "except"] as const) {
      const values = found[field];
      if (!values) continue;
      // Two lists of paths that both have to hold are no one list. Exceptions add up.
      if (match[field] && field !== "except") return undefined;
      match[field] = [...(match[field] ?? []), ...values];
    }
  }
  return match;
}

function partIn(part: string): RuleMatch | undefined {
  const [, negated, inner] = /^(!|not ) ?\(?(.{1,1000}?)\)?$/.exec(part) ?? [];
  if (negated && inner) {
    const paths = unionIn(/^\(/.test(part.slice(1)) ? inner : part.replace(/^(!|not ) ?/, ""));
    return paths?.only && !paths.methods ? { except: paths.only } : undefined;
  }
  return unionIn(part);
}

/** Conditions of which one is fulfilled: all of paths, or all of methods. */
function unionIn(condition: string): RuleMatch | undefined {
  const parts = partsOf(condition.replace(/^\((.*)\)$/, "$1"), /^ ?(?:\|\||or) ?/);
  const found = parts.map(simpleIn);
  if (found.some((one) => one === undefined)) return undefined;
  const only = found.flatMap((one) => one?.only ?? []);
  const methods = found.flatMap((one) => one?.methods ?? []);
  if (only.length > 0 && methods.length > 0) return undefined;
  return only.length > 0 ? { only } : { methods };
}

function simpleIn(text: string): RuleMatch | undefined {
  const [, method] = /^req\.(get|post|put|patch|delete|head|options)\?$/.exec(text) ?? [];
  if (method) return { methods: [method.toUpperCase()] };
  const [, verb] = /^req\.request_method ?== ?["']([A-Z]{1,16})["']$/.exec(text) ?? [];
  if (verb) return { methods: [verb] };
  const [, one] = /^req\.path ?== ?["'](\/[^"']{0,255})["']$/.exec(text) ?? [];
  if (one) return { only: [one] };
  const [, reversed] = /^["'](\/[^"']{0,255})["'] ?== ?req\.path$/.exec(text) ?? [];
  if (reversed) return { only: [reversed] };
  const [, begins] = /^req\.path\.start(?:s)?_with\?[ (]\(?([^()]{1,1000})\)?$/.exec(text) ?? [];
  if (begins) return pathsIn(begins);
  const [, among] = /^\[([^\]]{1,1000})\]\.include\?[ (]req\.path\)?$/.exec(text) ?? [];
  if (among) return pathsIn(among);
  const [, words] = /^%w[[(]([^\])]{1,1000})[\])]\.include\?[ (]req\.path\)?$/.exec(text) ?? [];
  return words
    ? pathsIn(
        words
          .split(" ")
          .map((word) => `'${word}'`)
          .join(","),
      )
    : undefined;
}

function pathsIn(list: string): RuleMatch | undefined {
  const paths = list.split(",").map((text) => /^\s?["'](\/[^"'\s?#]{0,255})["']\s?$/.exec(text)?.[1]);
  if (paths.includes(undefined)) return undefined;
  return { only: paths.map((path = "") => (path.length > 1 ? path.replace(/\/$/, "") : path)) };
}

/** Divides at a sign that is in no brackets and no quotes. */
function partsOf(text: string, sign: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character)) depth--;
    const [found] =
      depth === 0 && quote === "" && character === " " ? (sign.exec(text.slice(i, i + 6)) ?? []) : [];
    if (found === undefined) continue;
    parts.push(text.slice(from, i).trim());
    from = i + found.length;
    i = from - 1;
  }
  return [...parts, text.slice(from).trim()];
}

function addressesIn(args: readonly RubyArgument[]): string[] {
  return args.flatMap(({ tokens }) => tokens.flatMap(({ kind, value }) => (kind === "text" ? [value] : [])));
}

function noteAddresses(
  call: RubyCall,
  list: "safelist" | "block",
  texts: readonly string[],
  file: RubyFile,
  draft: ImportDraft,
): void {
  const addresses = texts.filter((text) => parseAddress(text).ok);
  const label = labelOf(call);
  if (addresses.length === 0) {
    const text = shortened(file.textOf(call.args.flatMap(({ tokens }) => tokens)));
    draft.note(
      call.line,
      `${call.name} ${text} is code: addresses are no part of a policy.`,
      `Write sluice ${list} add <address> --ttl never.`,
    );
    return;
  }
  draft.note(
    call.line,
    `${label}: addresses are no part of a policy.`,
    `Run: sluice ${list} add ${addresses.join(" ")} --ttl never`,
  );
}

/** A list by a block: addresses become commands. */
function noteList(file: RubyFile, call: RubyCall, list: "safelist" | "block", draft: ImportDraft): void {
  const tokens = call.block?.tokens ?? [];
  const text = withoutName(file.textOf(tokens), call.block?.parameter ?? "req");
  const addresses = tokens.flatMap(({ kind, value }) =>
    kind === "text" && parseAddress(value).ok ? [value] : [],
  );
  const asksAddress = partsOf(text, /^ ?(?:\|\||or) ?/).every((part) =>
    /^(?:["'][\d.:a-f/]{2,50}["'] ?== ?req\.ip|req\.ip ?== ?["'][\d.:a-f/]{2,50}["']|\[[^\]]{1,1000}\]\.include\?[ (]req\.ip\)?|IPAddr\.new\(["'][\d.:a-f/]{2,50}["']\)\.include\?\(req\.ip\))$/.test(
      part,
    ),
  );
  const label = labelOf(call);
  const match = matchIn(text);
  if (addresses.length > 0 && asksAddress) {
    noteAddresses(call, list, addresses, file, draft);
    return;
  }
  if (list === "safelist" && match?.only && !match.methods) {
    draft.note(
      call.line,
      `${label} lets paths pass: ${match.only.join(", ")}. The rules count them.`,
      `Write "match": { "except": ${JSON.stringify(match.only)} } in each rule.`,
    );
    return;
  }
  const instead =
    list === "safelist"
      ? 'Leave such requests out of rules with "match", or put addresses on the safelist.'
      : "Deny such requests in the app or its proxy: Sluice blocks addresses, and denies by counts.";
  draft.note(call.line, `${label} decides by code: ${shortened(text)}`, instead);
}

/** Fail2Ban and Allow2Ban become rules that ban. Other blocklists deny by what a request is. */
function addBlocklist(file: RubyFile, call: RubyCall, draft: ImportDraft): void {
  const tokens = call.block?.tokens ?? [];
  const [, kind] = /\b(Fail2Ban|Allow2Ban)\.filter\b/.exec(file.textOf(tokens)) ?? [];
  const inner = file
    .calls(new Set(["filter"]))
    .find(({ block }) => block?.tokens[0] && tokens.includes(block.tokens[0]));
  if (!kind || !inner) {
    noteList(file, call, "block", draft);
    return;
  }
  const [most, within, banned] = (["maxretry", "findtime", "bantime"] as const).map((name) => {
    const given = argument(inner, name);
    return given && file.numberIn(given.tokens);
  });
  const label = labelOf(call);
  if (most === undefined || within === undefined || banned === undefined) {
    draft.note(
      call.line,
      `${label}: maxretry, findtime and bantime are no numbers in this file: no rule was made.`,
      "Write the rule by hand.",
    );
    return;
  }
  const name = nameOf(call);
  const parameter = call.block?.parameter ?? "req";
  const condition = withoutName(file.textOf(inner.block?.tokens ?? []), parameter);
  const match = matchIn(condition);
  const rule = {
    name,
    algorithm: "fixed" as const,
    levels: [{ limit: most, periodSeconds: within }],
    ban: { after: 1, withinSeconds: within, forSeconds: banned, capSeconds: banned },
  };
  if (match && (match.only ?? match.methods ?? match.except)) draft.add({ ...rule, client: "ip", match });
  else {
    const code = codeNameOf(name);
    // A ban strikes an address, so the rule counts by it together with the code.
    draft.add({ ...rule, client: { all: ["ip", { code }] } });
    draft.note(
      call.line,
      `The condition of ${label} is code: ${shortened(condition)}`,
      `${sayCode(code, '"matches" or undefined')}.`,
    );
  }
  draft.note(
    call.line,
    kind === "Fail2Ban"
      ? `${label} denies each matching request at once; the rule lets ${most} pass, then denies and bans.`
      : `${label} bans with request ${most}; the rule lets ${most} pass, and bans with the next one.`,
    "The rule is in shadow, and bans no address until it is enforced. A ban is on the blocklist, for all apps.",
  );
}
