import type { Permission } from "../users/roles.ts";

/** The permissions that an API token can have. */
export const scopes = [
  "read",
  "lists",
  "lists-forever",
  "customers",
  "ease-off",
  "enforce",
  "policy",
  "feeds",
  "alarms",
  "acknowledge",
  "ask",
  "decide",
  "denial-log",
] as const satisfies readonly Permission[];
export type TokenScope = (typeof scopes)[number];

/** What a token with the scope may do. */
export const scopeWords: Readonly<Record<TokenScope, string>> = {
  read: "read everything but users and secrets",
  lists: "add, extend and remove entries of both lists, for up to 90 days",
  "lists-forever": "add entries that last longer, or never expire",
  customers: "set tiers and overrides, also of groups and patterns, suspend customers, reset counters",
  "ease-off": "switch the mode to shadow or off",
  enforce: "switch the mode to enforce",
  policy: "publish the policy and roll it back",
  feeds: "add, change, refresh and remove feeds",
  alarms: "add, change, test and remove destinations of alarms, and switch alarms",
  acknowledge: "acknowledge incidents",
  ask: "ask staff for something",
  decide: "decline requests to staff; confirm them, too, with lists",
  "denial-log": "set how long the denial log is kept",
};

/** A scope of little use without another one. */
const needed: Readonly<Partial<Record<TokenScope, TokenScope>>> = { "lists-forever": "lists" };

/** Scopes that a token for one app can have: everything else concerns all apps. */
export const scopesOfApp: readonly TokenScope[] = ["read", "policy"];

export function isScope(text: unknown): text is TokenScope {
  return scopes.some((scope) => scope === text);
}

/** Why a token cannot have these scopes. */
export function scopesProblem(chosen: readonly TokenScope[], app: string | undefined): string | undefined {
  if (chosen.length === 0) return "Choose at least one scope";
  for (const scope of chosen) {
    const other = needed[scope];
    if (other !== undefined && !chosen.includes(other)) return `${scope} needs ${other} beside it`;
    if (app !== undefined && !scopesOfApp.includes(scope))
      return `${scope} concerns all apps, so a token for one app cannot have it`;
  }
  return undefined;
}

/** Why a name cannot be that of a token. */
export function tokenNameProblem(name: string): string | undefined {
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,38}[\p{L}\p{N}])?$/u.test(name)
    ? undefined
    : "A name has letters, digits, spaces and . _ - only, at most 40";
}

/** Why a text cannot be the app of a token. */
export function tokenAppProblem(app: string): string | undefined {
  return /^[a-z0-9-]{1,32}$/.test(app) ? undefined : "An app has a-z, 0-9 and - only, at most 32";
}
