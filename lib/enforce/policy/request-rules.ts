import * as z from "zod/mini";
import type { Block } from "../../ip/block.ts";
import { listOf, type Mode, messageText, modes, oneOf, ruleName, text } from "./bounds.ts";
import { isOfBrowsers, type ToolGroup, Tools, toolGroups, toolWord } from "./edge-rules.ts";
import { consoleApp, isForApp, matcher, matchFields, sureMatcher } from "./match.ts";
import type { Subject } from "./request.ts";

/** Statuses of an answer that denies a request for what it is. */
const denialStatuses = [403, 404, 410, 451] as const;

const word = text(/^[^\p{Cc}]{1,128}$/u, "write 1 to 128 characters of plain text").check(
  z.trim(),
  z.refine((given) => given !== "", { error: "write a word, not only spaces" }),
  z.toLowerCase(),
);
const headerSays =
  'write a header: { name, contains: ["word"] }, { name, is: ["value"] } or { name, isPresent: false }';

const header = z
  .strictObject(
    {
      name: text(
        /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/,
        "write a header's name: letters, digits and dashes, at most 64",
      ).check(z.toLowerCase()),
      contains: z.optional(listOf(word, 64, "words")),
      is: z.optional(listOf(word, 64, "values")),
      isPresent: z.optional(z.boolean({ error: "write true or false" })),
    },
    { error: headerSays },
  )
  .check(
    z.refine(
      ({ contains, is, isPresent }) =>
        [contains, is, isPresent].filter((one) => one !== undefined).length === 1,
      {
        error: "name exactly one of contains, is, isPresent",
      },
    ),
  );

const country = text(/^[A-Za-z][A-Za-z0-9]$/, "write a country by the two letters of ISO 3166: DE").check(
  z.toUpperCase(),
);
const feed = text(/^[a-z0-9-]{1,40}$/, "write the id of a feed: small letters, digits and -");
const groupNames = Object.keys(toolGroups) as [ToolGroup, ...ToolGroup[]];

/** Which requests a rule decides. A request has to match each field that is given. */
const requestMatch = z.strictObject(
  {
    ...matchFields,
    /** The user agent has one of these words in it, in upper or lower case. */
    userAgents: z.optional(listOf(toolWord, 64, "words")),
    /** Groups of known tools, by the words in their user agents. */
    tools: z.optional(listOf(oneOf(groupNames), groupNames.length, "groups of tools")),
    /** Each of them has to match. */
    headers: z.optional(listOf(header, 8, "headers")),
    /** As the edge or the app says it. A request of which neither does is in no country, and outside of none. */
    countries: z.optional(listOf(country, 250, "countries")),
    exceptCountries: z.optional(listOf(country, 250, "countries")),
    /** Feeds that have the client, whatever their list and mode. */
    feeds: z.optional(listOf(feed, 50, "feeds")),
    /** Requests of which the edge or the app says that they are, or are not, of a verified bot. */
    verifiedBot: z.optional(z.boolean({ error: "write true or false" })),
  },
  {
    error: `write what the rule matches: { ${Object.keys(matchFields).join(", ")}, userAgents, tools, headers, countries, exceptCountries, feeds, verifiedBot }`,
  },
);

export type RequestMatch = Readonly<z.output<typeof requestMatch>>;

const response = z.strictObject(
  {
    status: z._default(
      z.literal(denialStatuses, { error: `write one of ${denialStatuses.join(", ")}` }),
      denialStatuses[0],
    ),
    message: z.optional(messageText),
  },
  { error: "write the answer: { status, message }" },
);

/** Denies or exempts what it matches, without counting. */
export const requestRuleSchema = z
  .strictObject(
    {
      name: ruleName,
      action: oneOf(["deny", "exempt"]),
      match: requestMatch,
      mode: z._default(oneOf(modes), "enforce"),
      /** What a denied client gets: 403 if left out. */
      response: z.optional(response),
    },
    { error: "write a rule: { name, action, match, mode, response }" },
  )
  .check(
    z.superRefine(({ action, match, response }, context) => {
      const say = (path: string[], message: string) => context.addIssue({ code: "custom", path, message });
      const { who, anyExtension: _, ...others } = match;
      if (who === "anyone" && !Object.values(others).some(isGiven))
        say(["match"], "name what the rule matches: without that, it would decide every request");
      if (action === "exempt" && response) say(["response"], "leave it out: an exempt rule answers nothing");
      if (action === "exempt") return;
      if (match.apps?.includes(consoleApp))
        say(["match", "apps"], `leave ${consoleApp} out: a rule must not lock its operators out`);
      const { userAgents, ...besideAgents } = others;
      if (userAgents?.some(isOfBrowsers) && who === "anyone" && !Object.values(besideAgents).some(isGiven))
        say(["match", "userAgents"], browserSays);
    }),
  );

const browserSays =
  "ordinary browsers name themselves so, too: write a word that only the tool uses, or match something else as well";

/** A rule that denies or exempts requests for what they are. */
export type RequestRule = z.output<typeof requestRuleSchema>;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false;
}

export function denialStatus({ response }: RequestRule): number {
  return response?.status ?? denialStatuses[0];
}

/** Headers in which an edge says what it knows of a client. It has to overwrite what clients send. */
export interface EdgeHeaders {
  readonly country?: string | undefined;
  readonly verifiedBot?: string | undefined;
}

/** What a process knows of clients, by their addresses. */
export interface ClientFacts {
  isInFeed(feed: string, client: Block): boolean;
  /** No rule denies it. */
  isProtected(client: Block): boolean;
}

export interface RequestSurroundings {
  readonly app: string;
  readonly facts?: ClientFacts | undefined;
  readonly edgeHeaders?: EdgeHeaders | undefined;
}

/** What request rules say of a request that at least one of them matches. */
export interface Ruling {
  /** The first rule in force that matches. No later one is asked. */
  readonly decidedBy: RequestRule | undefined;
  /** Rules in shadow before it that match. */
  readonly shadowed: readonly RequestRule[];
}

/** How one rule takes a request. */
export interface RequestRuleReading {
  readonly rule: string;
  readonly action: RequestRule["action"];
  readonly matches: boolean;
  readonly isShadowed: boolean;
  readonly isDeciding: boolean;
  /** In words, for people. */
  readonly says: string;
}

interface RequestTest {
  readonly holds: (subject: Subject) => boolean;
  /** Why it does not hold. */
  readonly otherwise: string;
}

interface CompiledRequestRule {
  readonly rule: RequestRule;
  readonly isShadowed: boolean;
  /** Cheap ones first. */
  readonly conditions: readonly RequestTest[];
}

/** The rules of a policy that deny or exempt requests, ready for one app. */
export class RequestRules {
  readonly #rules: readonly CompiledRequestRule[];
  readonly #facts: ClientFacts;

  /** @param mode of the policy: in shadow, nothing denies; what is exempt still is, so that limits in shadow count as they would in force */
  constructor(rules: readonly RequestRule[], mode: Mode, around: RequestSurroundings) {
    this.#facts = around.facts ?? noFacts;
    const isOn = (rule: RequestRule) =>
      mode !== "off" && rule.mode !== "off" && isForApp(rule.match, around.app);
    this.#rules = rules.filter(isOn).map((rule) => ({
      rule,
      isShadowed: rule.mode === "shadow" || (mode === "shadow" && rule.action === "deny"),
      conditions: conditionsOf(rule, around.edgeHeaders ?? {}, this.#facts),
    }));
  }

  get size(): number {
    return this.#rules.length;
  }

  /** Undefined where no rule matches. */
  find(subject: Subject): Ruling | undefined {
    let shadowed: RequestRule[] | undefined;
    for (const one of this.#rules) {
      if (firstFailing(one, subject) !== undefined || this.#isSpared(one.rule, subject)) continue;
      if (!one.isShadowed) return { decidedBy: one.rule, shadowed: shadowed ?? none };
      shadowed ??= [];
      shadowed.push(one.rule);
    }
    return shadowed && { decidedBy: undefined, shadowed };
  }

  /** Every rule, with why it matches or not. */
  explain(subject: Subject): readonly RequestRuleReading[] {
    let decidedBy: string | undefined;
    return this.#rules.map((one) => {
      const { rule, isShadowed } = one;
      const failing = firstFailing(one, subject);
      const isSpared = failing === undefined && this.#isSpared(rule, subject);
      const matches = failing === undefined && !isSpared;
      const isDeciding = matches && !isShadowed && decidedBy === undefined;
      const before = decidedBy;
      if (isDeciding) decidedBy = rule.name;
      const says =
        failing?.otherwise ??
        (isSpared
          ? "matches, but is not enforced: the client is in a protected range"
          : sayMatching(one, before));
      return {
        ...{ rule: rule.name, action: rule.action, matches, isShadowed, isDeciding },
        says: `${rule.name} (${rule.action}): ${says}.`,
      };
    });
  }

  #isSpared({ action }: RequestRule, { address }: Subject): boolean {
    return action === "deny" && this.#facts.isProtected(address);
  }
}

const none: readonly RequestRule[] = Object.freeze([]);
const noFacts: ClientFacts = { isInFeed: () => false, isProtected: () => false };

function sayMatching({ rule, isShadowed }: CompiledRequestRule, decidedBy: string | undefined): string {
  if (decidedBy !== undefined) return `matches, but ${decidedBy} decides before it`;
  const isDeny = rule.action === "deny";
  if (isShadowed) return `matches: would be ${isDeny ? "denied" : "exempt"}, but the rule only watches`;
  return isDeny ? `matches: denied (${denialStatus(rule)})` : "matches: no limit counts the request";
}

/** The first condition that does not hold. */
function firstFailing({ conditions }: CompiledRequestRule, subject: Subject): RequestTest | undefined {
  for (const condition of conditions) if (!condition.holds(subject)) return condition;
  return undefined;
}

/** In doubt what a request asks for, a rule that denies is for it, and one that exempts is not. */
function conditionsOf(
  { action, match }: RequestRule,
  headers: EdgeHeaders,
  facts: ClientFacts,
): readonly RequestTest[] {
  const { userAgents, tools, countries, exceptCountries, feeds, verifiedBot } = match;
  const isFor = action === "deny" ? matcher(match) : sureMatcher(match);
  const conditions: RequestTest[] = [
    {
      holds: (subject) => isFor(subject, subject.isCustomer),
      otherwise: "is for other paths, methods or senders",
    },
  ];
  const add = (holds: RequestTest["holds"], otherwise: string) => conditions.push({ holds, otherwise });
  for (const words of [userAgents, tools?.flatMap((group) => toolGroups[group])]) {
    if (!words) continue;
    const agents = new Tools(words, Number.POSITIVE_INFINITY);
    const which = words === userAgents ? words.join(", ") : (tools ?? []).join(", ");
    add(({ userAgent }) => agents.has(userAgent), `the user agent is not known as ${which}`);
  }
  for (const one of match.headers ?? []) add(headerTest(one), `header ${one.name} is not known to match`);
  if (verifiedBot !== undefined)
    add(
      (subject) =>
        isVerifiedBot(subject.request.verifiedBot ?? headerIn(subject, headers.verifiedBot)) === verifiedBot,
      verifiedBot ? "neither the edge nor the app calls it a verified bot" : "it is a verified bot",
    );
  const countryOf = (subject: Subject) =>
    readCountry(subject.request.country ?? headerIn(subject, headers.country));
  if (countries) {
    const wanted = new Set(countries);
    add(
      (subject) => wanted.has(countryOf(subject)),
      `the country is not known to be ${countries.join(", ")}`,
    );
  }
  if (exceptCountries) {
    const excepted = new Set(["", ...exceptCountries]);
    add(
      (subject) => !excepted.has(countryOf(subject)),
      `the country is unknown, or ${exceptCountries.join(", ")}`,
    );
  }
  if (feeds)
    add(
      ({ address }) => feeds.some((id) => facts.isInFeed(id, address)),
      `the client is in no feed of ${feeds.join(", ")}`,
    );
  return conditions;
}

type HeaderMatch = z.output<typeof header>;

function headerTest({ name, contains, is, isPresent }: HeaderMatch): RequestTest["holds"] {
  if (isPresent !== undefined) return (subject) => (subject.header(name) !== undefined) === isPresent;
  if (is) {
    const values = new Set(is);
    return (subject) => values.has(subject.header(name)?.trim().toLowerCase() ?? "");
  }
  const words = new Tools(contains ?? [], Number.POSITIVE_INFINITY);
  return (subject) => words.has(subject.header(name) ?? "");
}

function headerIn(subject: Subject, name: string | undefined): string | undefined {
  return name === undefined ? undefined : subject.header(name);
}

/** Empty for an unknown one: edges send XX or nothing then. */
function readCountry(given: unknown): string {
  if (typeof given !== "string") return "";
  const code = given.trim().toUpperCase();
  return code.length === 2 && code !== "XX" ? code : "";
}

const yes: ReadonlySet<string> = new Set(["1", "true", "yes"]);

function isVerifiedBot(given: unknown): boolean {
  return given === true || (typeof given === "string" && yes.has(given.trim().toLowerCase()));
}
