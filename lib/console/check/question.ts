import { DomainError } from "../../errors.ts";

interface Question {
  /** What is protected, as the console names it and rules match it. */
  readonly app: string;
  readonly isForNginx: boolean;
  /** nginx drops the body of the answer, so it asks for the body in headers. */
  readonly wantsBodyInHeaders: boolean;
  /** How many trusted proxies wrote to X-Forwarded-For, the asking one included. */
  readonly hops: number;
}

const mostHops = 32;

/** `?app=<name>&hops=<number>&mode=nginx&body=headers`. Each can be left out. */
export function readQuestion(parameters: URLSearchParams): Question {
  const app = parameters.get("app") ?? "edge";
  if (!/^[a-z0-9-]{1,32}$/.test(app)) {
    throw new DomainError("bad-input", "The app is named by 1 to 32 of the characters a-z, 0-9 and -.");
  }
  const mode = parameters.get("mode");
  if (mode !== null && mode !== "nginx") {
    throw new DomainError("bad-input", 'The mode is "nginx", or is left out.');
  }
  const body = parameters.get("body");
  if (body !== null && body !== "headers") {
    throw new DomainError("bad-input", 'The body goes into "headers", or body is left out.');
  }
  return {
    app,
    isForNginx: mode === "nginx",
    wantsBodyInHeaders: body === "headers",
    hops: readHops(parameters.get("hops") ?? "1"),
  };
}

function readHops(text: string): number {
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (hops >= 1 && hops <= mostHops) return hops;
  throw new DomainError(
    "bad-input",
    `hops is the number of trusted proxies, this one included: 1 to ${mostHops}.`,
  );
}
