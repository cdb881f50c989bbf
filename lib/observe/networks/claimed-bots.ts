/** A search bot whose operator documents the names of its addresses. */
interface Bot {
  readonly name: string;
  /** Part of its user agent, in lower case. */
  readonly agent: string;
  /** Its addresses have names in one of these. */
  readonly domains: readonly string[];
}

/**
 * By the pages of their operators on how to verify them. Bots that are verified by lists of addresses alone are left out, and so is
 * googleusercontent.com, where customers of Google have names, too.
 */
const bots: readonly Bot[] = [
  { name: "Googlebot", agent: "googlebot", domains: ["googlebot.com", "google.com"] },
  { name: "Bingbot", agent: "bingbot", domains: ["search.msn.com"] },
  { name: "Applebot", agent: "applebot", domains: ["applebot.apple.com"] },
  { name: "YandexBot", agent: "yandexbot", domains: ["yandex.ru", "yandex.net", "yandex.com"] },
  { name: "Baiduspider", agent: "baiduspider", domains: ["baidu.com", "baidu.jp"] },
  { name: "SeznamBot", agent: "seznambot", domains: ["seznam.cz"] },
  { name: "Amazonbot", agent: "amazonbot", domains: ["crawl.amazonbot.amazon"] },
];

/** Names of an address by DNS. */
export interface DnsNames {
  /** Unanswered: DNS did not answer in time, or failed. Off and special addresses are not asked for. */
  readonly outcome: "answered" | "unanswered" | "off" | "special";
  readonly names: readonly { readonly name: string; readonly isConfirmed: boolean }[];
  /** Some of the names are not confirmed because DNS did not answer. */
  readonly isPartly: boolean;
}

export interface ClaimedBot {
  readonly name: string;
  readonly is: "verified" | "fake" | "not checked";
}

/** The search bots that these user agents claim to be, and whether the address is one of theirs. */
export function claimedBots(userAgents: readonly string[], dns: DnsNames): ClaimedBot[] {
  const agents = userAgents.map((agent) => agent.toLowerCase());
  return bots
    .filter(({ agent }) => agents.some((text) => text.includes(agent)))
    .map(({ name, domains }) => ({ name, is: judge(domains, dns) }));
}

function judge(domains: readonly string[], { outcome, names, isPartly }: DnsNames): ClaimedBot["is"] {
  const own = names.filter(({ name }) => domains.some((domain) => name.toLowerCase().endsWith(`.${domain}`)));
  if (own.some(({ isConfirmed }) => isConfirmed)) return "verified";
  const isKnown = outcome === "answered" && (own.length === 0 || !isPartly);
  return isKnown ? "fake" : "not checked";
}
