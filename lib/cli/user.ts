import { linkPath, type NewLink } from "../auth/link.ts";
import { isRole, type Role, roles } from "../auth/roles.ts";
import { DomainError } from "../errors.ts";
import type { Call } from "./command.ts";
import { moment } from "./moment.ts";
import { nearest } from "./nearest.ts";

export function readRole(text: string | undefined): Role {
  if (isRole(text)) return text;
  const meant = text === undefined ? undefined : nearest(text, roles);
  const problem = `a role is one of ${roles.join(", ")}${meant ? `; did you mean ${meant}?` : ""}`;
  throw new DomainError("bad-input", `--role: ${problem}.`, { role: problem });
}

/** Where the console is. Asked before anything is done: a link without it would be lost. */
export function readConsoleUrl({ options, io }: Pick<Call, "options" | "io">): string {
  const text = options.text("url") ?? io.environment.publicUrl;
  if (text === undefined) {
    const message = "Where is the console? Say --url https://sluice.example.org, or set NEXTAUTH_URL.";
    throw new DomainError("not-configured", message, { url: "the link for the user begins with it" });
  }
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  const problem = "it begins with https:// or http://";
  throw new DomainError("bad-input", `--url: ${problem}.`, { url: problem });
}

/** The link, the one time that it is told. */
export function tellLink({ email, word, until }: NewLink, consoleUrl: string) {
  const url = new URL(linkPath(word), consoleUrl).href;
  const ends = moment(Date.parse(until));
  return {
    lines: [`${email} chooses a password here. The link works once, until ${ends}:`, url],
    json: { email, url, until },
  };
}
