import type { Verdict } from "./verdict.ts";

export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Format = "html" | "problem" | "text";

const formats: readonly (readonly [mediaType: string, format: Format])[] = [
  ["text/html", "html"],
  ["application/problem+json", "problem"],
  ["application/json", "problem"],
  ["text/plain", "text"],
];

const words = {
  title: "Access denied",
  detail: "Requests from your network address are not accepted here.",
};

/** The answer to a denied request, in the format its sender prefers. It says nothing of lists, reasons or rules. */
export function refusalOf(verdict: Verdict, accept: string | null | undefined): Refusal {
  const format = preferred(accept ?? "");
  return {
    status: verdict.status,
    headers: {
      ...verdict.headers,
      "cache-control": "private, no-store",
      "content-type": contentTypes[format],
      "x-content-type-options": "nosniff",
      vary: "accept",
    },
    body: bodies[format](verdict.status),
  };
}

const contentTypes: Record<Format, string> = {
  html: "text/html; charset=utf-8",
  problem: "application/problem+json",
  text: "text/plain; charset=utf-8",
};

const bodies: Record<Format, (status: number) => string> = {
  html: () =>
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<meta name="color-scheme" content="light dark"><title>${words.title}</title><h1>${words.title}</h1><p>${words.detail}</p></html>\n`,
  problem: (status) => `${JSON.stringify({ type: "about:blank", status, ...words })}\n`,
  text: () => `${words.title}. ${words.detail}\n`,
};

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
