import { errorLineWithStack } from "../../errors.ts";
import { oncePerProcess } from "../../redis/once-per-process.ts";
import { referenceHeader } from "./denial-reference.ts";
import type { Verdict } from "./verdict.ts";

export interface DenialAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The app's own body of an answer: a text, or what is sent as JSON. */
export type OwnBody = string | Readonly<Record<string, unknown>>;

type Format = "html" | "problem" | "text" | "action";

interface Words {
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** What programs may want beside the words. */
  readonly members?: Readonly<Record<string, unknown>>;
}

const formats: readonly (readonly [mediaType: string, format: Format])[] = [
  ["text/html", "html"],
  ["application/problem+json", "problem"],
  ["application/json", "problem"],
  ["text/plain", "text"],
  // Next's client asks for it when it calls a Server Action.
  ["text/x-component", "action"],
];

/**
 * The answer to a denied request: the app's own body, or Sluice's in the format its sender prefers. Of lists and reasons that says
 * nothing.
 */
export function refusalOf(
  verdict: Verdict,
  accept: string | null | undefined,
  own?: OwnBody | ((...given: never[]) => unknown),
): DenialAnswer {
  if (own !== undefined && typeof own !== "function") return ownAnswer(verdict, own);
  const format = preferred(accept ?? "");
  return {
    status: verdict.status,
    headers: {
      ...answerHead(verdict).headers,
      "content-type": contentTypes[format],
      "x-content-type-options": "nosniff",
      vary: "accept",
    },
    body: bodies[format](wordsFor(verdict), verdict),
  };
}

function ownAnswer(verdict: Verdict, own: OwnBody): DenialAnswer {
  const { status, headers } = answerHead(verdict);
  const isText = typeof own === "string";
  return {
    status,
    headers: {
      ...headers,
      "content-type": isText ? contentTypes.text : "application/json",
      "x-content-type-options": "nosniff",
    },
    body: isText ? own : JSON.stringify(own),
  };
}

/** Status and headers of every answer to a denied request, also where the app writes its body. */
export function answerHead(verdict: Verdict): Omit<DenialAnswer, "body"> {
  const { status, headers } = verdict;
  return {
    status,
    headers: { ...headers, ...referenceOf(verdict), "cache-control": "private, no-store" },
  };
}

/** The reference of a denial as a header. Empty without one. */
export function referenceOf({ reference }: Verdict): Readonly<Record<string, string>> {
  return reference === undefined ? {} : { [referenceHeader]: reference };
}

/** Headers that say what is left of limits. */
export const isQuotaHeader = (name: string): boolean => /^(x-)?ratelimit/.test(name);

/**
 * The headers of a verdict for a response that has some of another verdict already: the quotas of both. `X-RateLimit-*` has room for
 * one, the tighter of them.
 * @param earlier of the response, by name
 */
export function besideEarlier(
  headers: Verdict["headers"],
  earlier: (name: string) => unknown,
): Verdict["headers"] {
  const remaining = headers["x-ratelimit-remaining"];
  const left = remaining === undefined ? undefined : earlier("x-ratelimit-remaining");
  const isEarlierTighter = typeof left === "string" && left !== "" && Number(left) < Number(remaining);
  const both = Object.entries(headers).map(([name, value]) => {
    const before = isQuotaHeader(name) ? earlier(name) : undefined;
    if (typeof before !== "string" || before === "") return [name, value];
    if (name.startsWith("x-")) return [name, isEarlierTighter ? before : value];
    const isThere = `, ${before}`.endsWith(`, ${value}`);
    return [name, isThere ? before : `${before}, ${value}`];
  });
  return Object.fromEntries(both);
}

/** Whether the app's own `onDenied` answered. Where it fails, Sluice answers: a denied request stays denied. */
export async function didAnswer(onDenied: () => unknown): Promise<boolean> {
  const answered = await answerOf(async () => {
    await onDenied();
    return true;
  });
  return answered ?? false;
}

/** The answer of the app's own `onDenied`. Undefined where it gives none, or fails. */
export async function answerOf<Answer>(
  onDenied: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  try {
    return await onDenied();
  } catch (error) {
    const failures = oncePerProcess("on-denied-failures", () => ({ count: 0 }));
    if (failures.count++ === 0)
      console.warn(`sluice: onDenied failed. Sluice answers in its place. ${errorLineWithStack(error)}`);
    return undefined;
  }
}

function wordsFor({ outcome, status, by, rule, message, retryAfterSeconds }: Verdict): Words {
  if (by?.kind === "suspension") {
    const detail = message ?? "Requests of this account are not accepted at present.";
    return { type: "about:blank", title: "Account suspended", detail };
  }
  if (by?.kind === "request-rule") {
    const { title, detail } = denialWords[status] ?? {
      title: "Access denied",
      detail: "Requests like this one are not accepted here.",
    };
    // An answer that claims that there is nothing here names no rule.
    const members = status === 404 || status === 410 ? {} : { "violated-policies": [by.rule] };
    return { type: "about:blank", title, detail: message ?? detail, members };
  }
  if (outcome === "blocked") {
    const detail = "Requests from your network address are not accepted here.";
    return { type: "about:blank", title: "Access denied", detail };
  }
  if (status === 400) {
    const detail = message ?? "The Authorization header names no Basic user.";
    return { type: "about:blank", title: "Bad Request", detail };
  }
  const wait = retryAfterSeconds === undefined ? "later" : `in ${retryAfterSeconds} s`;
  return {
    type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
    title: status === 503 ? "Over Rate Limit" : "Too Many Requests",
    detail: message ?? `You have sent more requests than are accepted. Try again ${wait}.`,
    members: { "violated-policies": rule === undefined ? [] : [rule] },
  };
}

const denialWords: Readonly<Record<number, Pick<Words, "title" | "detail">>> = {
  404: { title: "Not Found", detail: "There is nothing at this address." },
  410: { title: "Gone", detail: "There is nothing at this address any more." },
  451: { title: "Unavailable For Legal Reasons", detail: "This is not available to you for legal reasons." },
};

const contentTypes: Record<Format, string> = {
  html: "text/html; charset=utf-8",
  problem: "application/problem+json",
  text: "text/plain; charset=utf-8",
  // Of this type alone, letter for letter, the client makes the body the message of the error that the action throws.
  action: "text/plain",
};

const bodies: Record<Format, (words: Words, verdict: Verdict) => string> = {
  html: ({ title, detail }, { reference }) =>
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${title}</title><h1>${title}</h1><p>${escaped(detail)}</p>` +
    `${reference === undefined ? "" : `<p>Reference: <code style="overflow-wrap:anywhere">${reference}</code></p>`}</html>\n`,
  problem: ({ type, title, detail, members }, { status, reference }) =>
    `${JSON.stringify({ type, title, status, detail, ...members, reference })}\n`,
  text: ({ title, detail }, verdict) => `${title}. ${detail}${sayReference(verdict)}\n`,
  action: ({ title, detail }, verdict) => `${title}. ${detail}${sayReference(verdict)}`,
};

const sayReference = ({ reference }: Verdict) => (reference === undefined ? "" : ` Reference: ${reference}`);

/** A rule's message is an admin's own text. */
function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function preferred(accept: string): Format {
  let best: { format: Format; weight: number } = { format: "text", weight: 0 };
  for (const range of accept.slice(0, 1_000).split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const format = formats.find(([mediaType]) => mediaType === type)?.[1];
    const quality = parameters.find((parameter) => parameter.startsWith("q="));
    const weight = quality ? Number(quality.slice(2)) : 1;
    if (format && weight > best.weight) best = { format, weight };
  }
  return best.format;
}
