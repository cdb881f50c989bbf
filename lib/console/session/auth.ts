import type { NextAuthOptions } from "next-auth";
import { DomainError, errorLine } from "../../errors.ts";
import type { Ip } from "../../ip/parse.ts";
import type { Signed } from "../../manage/audit/record.ts";
import { admitUser } from "../../manage/users/admit.ts";
import { checkPassword, type PasswordContext } from "../../manage/users/check-password.ts";
import {
  closeSession,
  findSession,
  idleMs,
  longestMs,
  type UserSession,
} from "../../manage/users/sessions.ts";
import { signIn } from "../../manage/users/sign-in.ts";
import { readClaims, SsoRefusal, type SsoWord } from "../../manage/users/sso-claims.ts";
import type { SsoSettings } from "../../manage/users/sso-settings.ts";
import type { User } from "../../manage/users/user.ts";
import { authCookies } from "./cookies.ts";
import { oidcProvider } from "./oidc.ts";
import { returnPath } from "./return-path.ts";

/** What a sign-in needs, and what is known of its request. */
export interface AuthParts {
  readonly door: PasswordContext;
  readonly secret: string;
  readonly isHttps: boolean;
  readonly oidc: SsoSettings | undefined;
  readonly address: Ip | undefined;
  /** The address forwards for others, and is not among the trusted proxies. */
  readonly isForwarded: boolean;
  /** The session that the browser has already; the new one takes its place. */
  readonly before: string | undefined;
  readonly log: (line: string) => void;
}

const longestSeconds = longestMs / 1_000;

/** For one request: what is found out at one step is kept for the next. The JWT holds nothing but the session's id. */
export function authOptions(parts: AuthParts): NextAuthOptions {
  const visit = new Visit(parts);
  const { oidc } = parts;
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
      ...(oidc ? [oidcProvider(oidc)] : []),
    ],
    callbacks: {
      signIn: ({ account, profile }) =>
        account?.provider !== "oidc" || !oidc || visit.bySso({ ...profile }, oidc),
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
  #found: UserSession | undefined;

  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  /** What is thrown is a word for the sign-in page: next-auth puts it into an address. */
  async byPassword(given: Partial<Record<"email" | "password", unknown>> | undefined) {
    const { door, address, isForwarded } = this.#parts;
    const [email, password] = [asText(given?.email), asText(given?.password)];
    const checked = await checkPassword(door, { email, password, address, isForwarded }).catch(
      (error: unknown) => this.#giveUp(error),
    );
    if (checked.outcome === "throttled")
      throw new Error(`throttled-${Math.ceil(checked.attempts.waitMs / 1_000)}`);
    if (checked.outcome === "wrong") return null;
    await this.#open(checked.email, checked.user).catch((error: unknown) => this.#giveUp(error));
    return { id: checked.email };
  }

  /** True, or where to go instead. */
  async bySso(claims: Record<string, unknown>, oidc: SsoSettings): Promise<true | string> {
    const { door, address } = this.#parts;
    let account: string | undefined;
    try {
      const vouched = readClaims(claims, oidc);
      account = vouched.email;
      await this.#open(vouched.email, await admitUser(this.#signed(vouched.email), vouched));
      return true;
    } catch (error) {
      const word = wordOf(error);
      if (word) await door.refused.note({ address, account, why: whys[word] });
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

  /** The browser loses its cookie in any case. */
  async end(sid: unknown): Promise<void> {
    if (typeof sid !== "string") return;
    await closeSession(this.#parts.door.redis, sid).catch((error: unknown) => {
      const left = `It ends ${idleMs / 60_000} min after its last activity. ${errorLine(error)}`;
      this.#parts.log(`sluice: a session was not closed when its user signed out. ${left}`);
    });
  }

  /** What next-auth cannot do, in a line. That a session has ended is no trouble. */
  logTrouble(code: string, about: unknown): void {
    if (code !== "JWT_SESSION_ERROR")
      this.#parts.log(`sluice: signing in: ${code}: ${errorLine(errorIn(about))}`);
  }

  async #open(email: string, { version, by }: User): Promise<void> {
    const { door, log, before, isForwarded } = this.#parts;
    this.#opened = await signIn(this.#signed(email), { email, version, by, isForwarded }, log);
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
    this.#parts.log(`sluice: signing in: ${errorLine(error)}`);
  }
}

/** What an admin learns from the audit log about a refusal that only an admin can end. */
const whys: Partial<Record<SsoWord, string>> = {
  "sso-other-account":
    "another account of the provider has this address now. To let it in, remove the user and invite the address",
  "sso-removed": "an admin has removed this user. To let the user in again, invite the address",
};

/** Code on the sign-in page for what prevents a sign-in. */
function wordOf(error: unknown): SsoWord | undefined {
  if (error instanceof SsoRefusal) return error.word;
  return error instanceof DomainError && error.code === "lockout" ? "sso-last-admin" : undefined;
}

const asText = (given: unknown): string => (typeof given === "string" ? given : "");

/** next-auth gives an error, or an object with one and with what it knows of the request. */
function errorIn(about: unknown): unknown {
  if (about instanceof Error || typeof about !== "object" || about === null) return about;
  const { error, message } = about as { error?: unknown; message?: unknown };
  return error instanceof Error ? error : message;
}
