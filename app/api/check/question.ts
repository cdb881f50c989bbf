import { DomainError } from "../../../lib/errors.ts";

export interface Question {
  /** What is protected, as the console names it and rules match it. */
  readonly app: string;
  readonly isForNginx: boolean;
}

/** `?app=<name>&mode=nginx`, both of which may be left out. */
export function readQuestion(parameters: URLSearchParams): Question {
  const app = parameters.get("app") ?? "edge";
  if (!/^[a-z0-9-]{1,32}$/.test(app)) {
    throw new DomainError("bad-input", "The app is named by 1 to 32 of the characters a-z, 0-9 and -.");
  }
  const mode = parameters.get("mode");
  if (mode !== null && mode !== "nginx") {
    throw new DomainError("bad-input", 'The mode is "nginx", or is left out.');
  }
  return { app, isForNginx: mode === "nginx" };
}
