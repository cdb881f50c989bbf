import { longestPeriodSeconds } from "../../enforce/policy/bounds.ts";
import { codeNameOf, type ImportDraft, type ImportedRule, ruleNameOf, sayCode } from "./imported.ts";
import {
  type CallValue,
  type FoundCall,
  type JavaScriptFile,
  textOfValue,
  type Value,
} from "./javascript.ts";

const routeMethods = ["get", "post", "put", "patch", "delete"];
const mountNames = new Set(["use", "all", ...routeMethods]);

/** Which requests a limiter of an Express app gets. */
export function matchOf(
  file: JavaScriptFile,
  call: FoundCall | undefined,
  draft: ImportDraft,
): ImportedRule["match"] {
  if (!call) return undefined;
  const mounts = file
    .methodCalls(mountNames)
    .filter(
      ({ at, until, args }) => (at < call.at && call.at < until) || args.some((arg) => names(arg, call)),
    );
  if (mounts.length === 0) {
    draft.note(
      call.line,
      "No route of this file is known to use this limiter, so the rule counts every path.",
      'Write "match": { "only": ["/path"], "methods": ["POST"] } for the routes that use it.',
    );
    return undefined;
  }
  const paths = mounts.map((mount) => pathsOf(mount, draft));
  const methods = [
    ...new Set(mounts.map(({ name }) => (routeMethods.includes(name) ? name.toUpperCase() : ""))),
  ];
  if (mounts.some(({ of }) => of !== "app" && of !== "server"))
    draft.note(
      mounts[0]?.line ?? call.line,
      "A router uses this limiter, and may have a path before its own.",
      'Write the whole paths in "match": { "only" }.',
    );
  if (methods.length > 1)
    draft.note(
      mounts[0]?.line ?? call.line,
      "Routes with other methods use this limiter, so the rule counts all methods.",
      "Write a rule for each method if their limits differ.",
    );
  const only = paths.includes(undefined) ? undefined : paths.flatMap((some) => some ?? []);
  const method = methods.length === 1 ? methods[0] : undefined;
  if (!only && !method) return undefined;
  return { ...(only && { only: [...new Set(only)] }), ...(method && { methods: [method] }) };
}

/** Whether an argument is the limiter, or a list with it. */
function names(arg: Value, call: FoundCall): boolean {
  if (arg.kind === "list") return arg.items.some((item) => names(item, call));
  if (arg.kind === "code") return call.variable !== undefined && arg.text === call.variable;
  return arg.kind === "call" && arg.line === call.line && arg.name === call.name;
}

/** Undefined for all paths. */
function pathsOf({ args, name, line }: CallValue, draft: ImportDraft): string[] | undefined {
  const [first] = args;
  const texts = first?.kind === "list" ? first.items : first ? [first] : [];
  const paths = texts.flatMap((text) => (text.kind === "text" ? [text.value] : []));
  if (paths.length === 0 || paths.length < texts.length) {
    const isRoute = name !== "use" || first?.kind === "list";
    const isHandler = first?.kind === "call" || first?.kind === "code";
    if (isRoute || !isHandler || /^\/|RegExp/.test(first?.kind === "code" ? first.text : ""))
      draft.note(
        line,
        "The path of this route is no plain text, so the rule counts every path.",
        'Write "match": { "only": ["/path"] }.',
      );
    return undefined;
  }
  if (paths.includes("/") && name === "use") return undefined;
  return paths.map((path) => prefixOf(path, name !== "use", line, draft));
}

function prefixOf(path: string, isExact: boolean, line: number, draft: ImportDraft): string {
  const plain = /^[^:*(){}?+]{0,256}/.exec(path)?.[0] ?? "";
  const prefix = plain === path ? path : plain.slice(0, plain.lastIndexOf("/") + 1);
  const trimmed = prefix.length > 1 ? prefix.replace(/\/$/, "") : "/";
  if (plain !== path)
    draft.note(
      line,
      `"${path}" has a parameter: the rule counts all of ${trimmed}.`,
      "Check that this is meant.",
    );
  else if (isExact && path !== "/")
    draft.note(line, `The rule also counts what lies below ${path}.`, 'Write "except" for such paths.');
  return trimmed;
}

/** `(request, response) =>`, with types. */
const parameters =
  /^(?:async )?\(?\w{1,40}(?: ?: ?[\w.]{1,40})?(?:, ?\w{1,40}(?: ?: ?[\w.]{1,40})?)?\)?(?: ?: ?\w{1,40})? ?=> ?/;
const body = /^\{\s{0,40}return\s{1,40}([^;{}]{1,300});?\s{0,40}\}$/;
/** The request, by the names that frameworks' examples give it. */
const request = /^(?:ipKeyGenerator\()?(?:req|request|ctx|context|c)(?=\.)/;
const wordsOfIp = /^\.(?:ip|request\.ip)(?: ?(?:\?\?|\|\|) ?(?:''|""))?(?:, ?\d{1,3})?\)?$/;
const wordsOfHeader =
  /^\.(?:req\.)?(?:headers\[["']([\w-]{1,64})["']\]|(?:get|header)\(["']([\w-]{1,64})["']\)|headers\.get\(["']([\w-]{1,64})["']\))$/;
const wordsOfCookie = /^\.cookies(?:\.(\w{1,64})|\[["']([\w-]{1,64})["']\])$/;
const wordsOfUser = /^\.(?:user|session|auth)\??\.(?:id|userId|sub)$/;

/** What a limiter counts by. @param code an expression, or a function that returns one */
export function clientOf(
  code: string,
  rule: string,
  line: number,
  draft: ImportDraft,
): ImportedRule["client"] {
  const returned = code.replace(parameters, "").replace(body, "$1").trim();
  const text = request.test(returned) ? returned.replace(request, "") : "";
  if (wordsOfIp.test(text)) return "ip";
  const header = wordsOfHeader.exec(text)?.slice(1).find(Boolean);
  if (header) return { header: header.toLowerCase() };
  const cookie = wordsOfCookie.exec(text)?.slice(1).find(Boolean);
  if (cookie) return { cookie };
  if (wordsOfUser.test(text)) {
    draft.note(
      line,
      "The rule counts users.",
      "Name the user in identify: (request) => ({ user: request.user?.id }).",
    );
    return "user";
  }
  const name = codeNameOf(rule);
  const isExpression =
    returned !== "" && !returned.includes("{\n") && !/^\w+\s?\(|^(async )?(function|\{)/.test(returned);
  draft.note(
    line,
    `${shortened(code)} is code, which a policy does not hold.`,
    `${sayCode(name, isExpression ? shortened(returned) : "the client")}.`,
  );
  return { code: name };
}

export const shortened = (text: string) => {
  const one = text.replace(/\s+/g, " ");
  return one.length > 80 ? `${one.slice(0, 77)}...` : one;
};

/** Whole seconds of a period. Undefined, with a note, for what is no period of Sluice. */
export function secondsOf(ms: number, line: number, draft: ImportDraft): number | undefined {
  const seconds = Math.ceil(ms / 1_000);
  if (!(seconds >= 1 && seconds <= longestPeriodSeconds)) {
    draft.note(
      line,
      `No rule has a period of ${ms} ms.`,
      "Write periodSeconds from 1 s to a year, and add the rule by hand.",
    );
    return undefined;
  }
  if (seconds * 1_000 !== ms)
    draft.note(
      line,
      `${ms} ms are no whole seconds: the rule has ${seconds} s.`,
      "Change the limit in proportion.",
    );
  return seconds;
}

/** Undefined, with a note, for what is no limit of Sluice. */
export function limitOf(limit: number, line: number, draft: ImportDraft): number | undefined {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  draft.note(
    line,
    `No rule has a limit of ${limit}.`,
    "To deny all, use the blocklist. To deny none, leave the rule out.",
  );
  return undefined;
}

/** A number that is written in the file. Undefined, with a note, for code. @param otherwise the library's default. Undefined if it has none */
export function numberIn(
  value: Value | undefined,
  name: string,
  otherwise: number | undefined,
  draft: ImportDraft,
  line = 0,
): number | undefined {
  if (value?.kind === "number") return value.value;
  const isMissing = value === undefined || value.kind === "nothing";
  if (isMissing && otherwise !== undefined) return otherwise;
  const is = isMissing ? "missing" : `${shortened(textOfValue(value))}, which is no number in this file`;
  draft.note(
    value?.line ?? line,
    `${name} is ${is}: no rule was made.`,
    "Write a rule with the number. For limits by plan, write a tier for each, and name the customer in identify.",
  );
  return undefined;
}

/** The name of the rule: that of its variable, or of its path. */
export function nameFor(
  call: FoundCall | undefined,
  match: ImportedRule["match"],
  otherwise: string,
): string {
  const variable = call?.variable ?? match?.only?.[0]?.replaceAll("/", "-") ?? otherwise;
  const short = variable.replace(/[-_]?(rate)?[-_]?limit(er)?$/i, "");
  return ruleNameOf(short === "" ? variable : short).toLowerCase();
}
