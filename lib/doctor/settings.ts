import type { Environment } from "../env.ts";
import { blockOf, parseIp } from "../ip/parse.ts";
import { loopback } from "../ip/range-list.ts";
import { readTarget } from "../redis/target.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

type Settings = Pick<Environment, "secret" | "publicUrl" | "redisUrl" | "countersRedisUrl" | "token">;
type Judgement = Omit<Finding, "check">;

const shortestSecret = 32;
const shortestToken = 16;

/** What the console's own environment says about how safe it is. It needs no Redis. */
export function judgeSettings(env: Settings): Finding[] {
  const found: Record<string, Judgement> = {
    secret: judgeSecret(env.secret ?? ""),
    https: judgeAddress(env.publicUrl),
    "redis-link": judgeLink("REDIS_URL", env.redisUrl),
    ...(env.countersRedisUrl !== env.redisUrl && {
      "counters-link": judgeLink("COUNTERS_REDIS_URL", env.countersRedisUrl),
    }),
    ...(env.token !== undefined && { token: judgeToken(env.token) }),
  };
  return Object.entries(found).map(([check, judgement]) => ({ check, ...judgement }));
}

function judgeSecret(secret: string): Judgement {
  if (secret.length >= shortestSecret) return ok("NEXTAUTH_SECRET is long enough not to be guessed.");
  const says = `NEXTAUTH_SECRET has ${secret.length} characters. Whoever guesses it can sign in as anybody and forge the audit log.`;
  const cure =
    "Set one of 32 or more: openssl rand -base64 32. Everybody signs in again, and the audit log begins anew.";
  return problem(says, { cure });
}

function judgeAddress(publicUrl: string | undefined): Judgement {
  if (publicUrl === undefined) {
    const cure = "Set NEXTAUTH_URL to the https address at which browsers reach the console.";
    return note("NEXTAUTH_URL is not set, so cookies are not kept to https.", { cure });
  }
  if (!URL.canParse(publicUrl)) return problem("NEXTAUTH_URL is not an address.");
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:") return ok("The console is reached over https, and its cookies are kept to it.");
  if (isThisMachine(hostname)) return ok("The console is reached from this machine alone, over http.");
  const cure = "Put TLS in front of the console, and set NEXTAUTH_URL to its https address.";
  return problem("The console is reached over http: passwords and sessions can be read on the way.", {
    cure,
  });
}

function judgeLink(variable: string, url: string | undefined): Judgement {
  const { isEncrypted, hasPassword, isLocal } = linkOf(url ?? "", variable);
  if (isLocal) return ok(`${variable} leads to this machine.`);
  const lacks = [isEncrypted ? "" : "TLS", hasPassword ? "" : "a password"].filter(Boolean).join(" and ");
  if (lacks === "") return ok(`${variable} leads over TLS, with a password.`);
  const cure =
    "Use rediss://user:password@…, unless the network between them carries nothing and nobody else.";
  return note(`${variable} leads to another machine without ${lacks}.`, { cure });
}

function linkOf(url: string, variable: string) {
  const target = readTarget(url, variable);
  if (target.kind === "sentinel") {
    const { tls, password, sentinels } = target.options;
    const isLocal = sentinels.every(({ host }) => isThisMachine(host));
    return { isEncrypted: tls !== undefined, hasPassword: password !== undefined, isLocal };
  }
  const urls = (target.kind === "single" ? [target.url] : target.nodes.map(String)).filter((text) =>
    URL.canParse(text),
  );
  const servers = urls.map((text) => new URL(text));
  return {
    isEncrypted: servers.every(({ protocol }) => protocol === "rediss:"),
    hasPassword: servers.every(({ password }) => password !== ""),
    isLocal: servers.every(({ hostname }) => isThisMachine(hostname)),
  };
}

function judgeToken(token: string): Judgement {
  if (token.length >= shortestToken) return ok("SLUICE_TOKEN is long enough not to be guessed.");
  const cure = "Set a longer one here and in the proxies and scrapers that show it.";
  return note(`SLUICE_TOKEN has ${token.length} characters and may be guessed.`, { cure });
}

function isThisMachine(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  const address = parseIp(hostname.replace(/^\[|\]$/g, ""));
  return address.ok && loopback.covering(blockOf(address.value)) !== undefined;
}
