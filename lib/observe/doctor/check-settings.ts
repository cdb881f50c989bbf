import type { Environment } from "../../env.ts";
import { isThisMachine } from "../../ip/this-machine.ts";
import { readTarget } from "../../redis/target.ts";
import { type Finding, note, ok, problem } from "./finding.ts";

type ConsoleSettings = Pick<
  Environment,
  "secret" | "publicUrl" | "redisUrl" | "countersRedisUrl" | "checkToken" | "checkApps" | "metricsToken"
>;
type Judgement = Omit<Finding, "check">;

const shortestSecret = 32;
const shortestToken = 16;

/** Findings on the security of the console's own settings. Reads no Redis. */
export function judgeSettings(env: ConsoleSettings): Finding[] {
  const found: Record<string, Judgement> = {
    secret: judgeSecret(env.secret ?? ""),
    https: judgeAddress(env.publicUrl),
    "redis-link": judgeLink("REDIS_URL", env.redisUrl),
    ...(env.countersRedisUrl !== env.redisUrl && {
      "counters-link": judgeLink("COUNTERS_REDIS_URL", env.countersRedisUrl),
    }),
    ...(env.checkToken !== undefined && { "check-token": judgeToken("/api/check", env.checkToken) }),
    ...(env.checkToken !== undefined && { "check-apps": judgeApps(env.checkApps) }),
    ...(env.metricsToken !== undefined && { "metrics-token": judgeMetricsToken(env) }),
  };
  return Object.entries(found).map(([check, judgement]) => ({ check, ...judgement, isForAdmins: true }));
}

function judgeSecret(secret: string): Judgement {
  if (secret.length >= shortestSecret) return ok("NEXTAUTH_SECRET is long enough not to be guessed.");
  const what = secret === "" ? "is not set" : "is too short and may be guessed";
  const says = `NEXTAUTH_SECRET ${what}. A right guess is enough to sign in as any user and to forge the audit log.`;
  const cure = `Set one of ${shortestSecret} or more characters: openssl rand -base64 32. All users must sign in again, and a new audit log starts.`;
  return problem(says, { cure });
}

function judgeAddress(publicUrl: string | undefined): Judgement {
  if (publicUrl === undefined) {
    const cure = "Set NEXTAUTH_URL to the https URL at which browsers reach the console.";
    return note("NEXTAUTH_URL is not set. Cookies are not restricted to https.", { cure });
  }
  if (!URL.canParse(publicUrl)) return problem("NEXTAUTH_URL is not a valid URL.");
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:")
    return ok("The console is reached over https, and its cookies are restricted to it.");
  if (isThisMachine(hostname)) return ok("The console is reached only from this machine, over http.");
  const cure = "Put TLS in front of the console, and set NEXTAUTH_URL to its https URL.";
  return problem("The console is reached over http. Passwords and sessions can be read on the network.", {
    cure,
  });
}

function judgeLink(variable: string, url: string | undefined): Judgement {
  const { isEncrypted, hasPassword, isLocal } = linkOf(url ?? "", variable);
  if (isLocal) return ok(`${variable} leads to this machine.`);
  const lacks = [isEncrypted ? "" : "TLS", hasPassword ? "" : "a password"].filter(Boolean).join(" and ");
  if (lacks === "") return ok(`${variable} leads over TLS, with a password.`);
  const cure = "Use rediss://user:password@…, unless the network between them is private.";
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

function judgeToken(path: string, token: string): Judgement {
  if (token.length >= shortestToken) return ok(`The token for ${path} is long enough not to be guessed.`);
  const cure = `Set one of ${shortestToken} or more characters here and in the proxies and scrapers that send it.`;
  return note(`The token for ${path} is too short and may be guessed.`, { cure });
}

function judgeApps(apps: string | undefined): Judgement {
  if (apps !== undefined) return ok("The check answers for the apps that SLUICE_CHECK_APPS names.");
  const says =
    "SLUICE_CHECK_APPS is not set. A client with the token of the check can ask for an app of any name.";
  return note(says, { cure: "Set SLUICE_CHECK_APPS to the names of the apps that your proxies ask for." });
}

function judgeMetricsToken({ checkToken, metricsToken = "" }: ConsoleSettings): Judgement {
  const judged = judgeToken("/api/metrics", metricsToken);
  if (judged.status !== "ok" || checkToken !== metricsToken) return judged;
  const says = "One token opens /api/check and /api/metrics. A scraper can count requests for any address.";
  const cure = "Set SLUICE_CHECK_TOKEN and SLUICE_METRICS_TOKEN instead of SLUICE_TOKEN.";
  return note(says, { cure });
}
