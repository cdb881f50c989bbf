import type { NextAuthOptions } from "next-auth";
import type { Signed } from "../../lib/audit/record.ts";
import { admitUser } from "../../lib/auth/admit.ts";
import { checkPassword, type Door } from "../../lib/auth/door.ts";
import { closeSession, findSession, longestMs, type Session } from "../../lib/auth/sessions.ts";
import { signIn } from "../../lib/auth/sign-in.ts";
import { readClaims, SsoRefusal, type SsoWord } from "../../lib/auth/sso-claims.ts";
import type { User } from "../../lib/auth/user.ts";
import type { OidcSettings } from "../../lib/env.ts";
import { DomainError } from "../../lib/errors.ts";
import type { Ip } from "../../lib/ip/parse.ts";
import { authCookies } from "./cookies.ts";
import { oidcProvider } from "./oidc.ts";
import { returnPath } from "./return-path.ts";

/** What signing in stands on, and what is known of the request that does. */
export interface AuthParts {
  readonly door: Door;
  readonly secret: string;
  readonly isHttps: boolean;
  readonly oidc: OidcSettings | undefined;
  readonly address: Ip | undefined;
  /** The session that the browser has already; the new one takes its place. */
  readonly before: string | undefined;
  readonly log: (line: string) => void;
}

const longestSeconds = longestMs / 1_000;

/** For one request: what is found out at one step is kept for the next. The JWT holds nothing but the session's id. */
export function authOptions(parts: AuthParts): NextAuthOptions {
  const visit = new Visit(parts);
  return {
    secret: parts.secret,
    cookies: authCookies(parts.isHttps),
    useSecureCookies: parts.isHttps,
    session: { strategy: "jwt", maxAge: longestSeconds },
    jwt: { maxAge: longestSeconds },
    pages: { signIn: "/signin", signOut: "/", error: "/signin" },
    providers: [
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: { email: {}, password: {} },
        authorize: (given) => visit.byPassword(given),
      },
      ...(parts.oidc ? [oidcProvider(parts.oidc)] : []),
    ],
    callbacks: {
      signIn: ({ account, profile }) => account?.provider !== "oidc" || visit.bySso({ ...profile }),
      redirect: ({ url, baseUrl }) => new URL(returnPath(url, baseUrl), baseUrl).href,
      jwt: ({ token }) => visit.token(token.sid),
      session: ({ session }) => ({ expires: session.expires, user: visit.who() }),
    },
    events: { signOut: ({ token }) => visit.end(token?.sid) },
    logger: { warn: () => {}, debug: () => {}, error: (code, about) => visit.logTrouble(code, about) },
  };
}

class Visit {
  readonly #parts: AuthParts;
  #opened: string | undefined;
  #found: Session | undefined;

  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  /** What is thrown is a word for the sign-in page: next-auth puts it into an address. */
  async byPassword(given: Partial<Record<"email" | "password", unknown>> | undefined) {
    const { door, address } = this.#parts;
    const [email, password] = [asText(given?.email), asText(given?.password)];
    const checked = await checkPassword(door, { email, password, address }).catch((error: unknown) =>
      this.#giveUp(error),
    );
    if (checked.outcome === "throttled")
      throw new Error(`throttled-${Math.ceil(checked.attempts.waitMs / 1_000)}`);
    if (checked.outcome === "wrong") return null;
    await this.#open(checked.email, checked.user).catch((error: unknown) => this.#giveUp(error));
    return { id: checked.email };
  }

  /** True, or where to go instead. */
  async bySso(claims: Record<string, unknown>): Promise<true | string> {
    const { oidc, door, address } = this.#parts;
    try {
      const vouched = readClaims(claims, oidc?.roleClaim ?? "");
      await this.#open(vouched.email, await admitUser(this.#signed(vouched.email), vouched));
      return true;
    } catch (error) {
      const word = wordOf(error);
      if (word) await door.refused.note({ address, account: undefined });
      else this.#log(error);
      return `/signin?error=${word ?? "unavailable"}`;
    }
  }

  /** Of a session that has ended there is no token. */
  async token(sid: unknown): Promise<{ sid: string }> {
    if (this.#opened !== undefined) return { sid: this.#opened };
    const { redis } = this.#parts.door;
    this.#found = typeof sid === "string" ? await findSession(redis, sid, { isActivity: false }) : undefined;
    if (this.#found) return { sid: this.#found.id };
    throw new Error("signed out");
  }

  who() {
    return { email: this.#found?.email ?? null, role: this.#found?.role ?? null };
  }

  async end(sid: unknown): Promise<void> {
    if (typeof sid === "string") await closeSession(this.#parts.door.redis, sid);
  }

  /** What next-auth cannot do, in a line. That a session has ended is no trouble. */
  logTrouble(code: string, about: unknown): void {
    if (code !== "JWT_SESSION_ERROR")
      this.#parts.log(`sluice: signing in: ${code}: ${oneLine(saidBy(about))}`);
  }

  async #open(email: string, { version, by }: User): Promise<void> {
    const { door, log, before } = this.#parts;
    this.#opened = await signIn(this.#signed(email), { email, version, by }, log);
    if (before !== undefined) await closeSession(door.redis, before);
  }

  #signed(email: string): Signed {
    const { door, address } = this.#parts;
    const actor = { name: email, via: "console", ...(address && { address }) };
    return { redis: door.redis, seal: door.seal, actor };
  }

  #giveUp(error: unknown): never {
    this.#log(error);
    throw new Error("unavailable", { cause: error });
  }

  #log(error: unknown): void {
    this.#parts.log(`sluice: signing in: ${oneLine(saidBy(error))}`);
  }
}

/** How the sign-in page calls what keeps somebody out. */
function wordOf(error: unknown): SsoWord | undefined {
  if (error instanceof SsoRefusal) return error.word;
  return error instanceof DomainError && error.code === "locks-the-house" ? "sso-last-admin" : undefined;
}

const asText = (given: unknown): string => (typeof given === "string" ? given : "");

function saidBy(about: unknown): string {
  if (about instanceof Error) return about.message;
  const { error, message } = (about ?? {}) as { error?: unknown; message?: unknown };
  return String(error instanceof Error ? error.message : (message ?? "no more is known"));
}

/** Part of it may be a stranger's: it must not look like other lines of the log. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, 300);
}
