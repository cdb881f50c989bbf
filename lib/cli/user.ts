import { DomainError } from "../errors.ts";
import { linkPath, type NewLink } from "../manage/users/link.ts";
import { isRole, type Role, roles } from "../manage/users/roles.ts";
import { nearest } from "../nearest.ts";
import type { CommandCall } from "./command.ts";
import { moment } from "./moment.ts";

export function readRole(text: string | undefined): Role {
  if (isRole(text)) return text;
  const meant = text === undefined ? undefined : nearest(text, roles);
  const problem = `write one of ${roles.join(", ")}${meant ? `; did you mean ${meant}?` : ""}`;
  throw new DomainError("bad-input", `--role: ${problem}.`, { role: problem });
}

/** URL of the console. Read before anything is changed: without it the one-time link would be lost. */
export function readConsoleUrl({ options, io }: Pick<CommandCall, "options" | "io">): string {
  const text = options.text("url") ?? io.environment.publicUrl;
  if (text === undefined) {
    const message =
      "The URL of the console is missing. Give --url https://sluice.example.org, or set NEXTAUTH_URL.";
    throw new DomainError("not-configured", message, { url: "the start of the link for the user" });
  }
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  const problem = "write a URL that begins with https:// or http://";
  throw new DomainError("bad-input", `--url: ${problem}.`, { url: problem });
}

/** Report with the one-time link. It is printed only here. */
export function reportLink({ email, word, until }: NewLink, consoleUrl: string) {
  const url = new URL(linkPath(word), consoleUrl).href;
  const ends = moment(Date.parse(until));
  return {
    lines: [`Link for ${email} to choose a password. It works once, until ${ends}:`, url],
    json: { email, url, until },
  };
}
