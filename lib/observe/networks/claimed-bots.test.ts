import { expect, it } from "vitest";
import { claimedBots, type DnsNames } from "./claimed-bots.ts";

const google = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const dns = (some: Partial<DnsNames> = {}): DnsNames => ({
  outcome: "answered",
  names: [],
  isPartly: false,
  ...some,
});
const named = (name: string, isConfirmed = true) => dns({ names: [{ name, isConfirmed }] });

it.each([
  ["crawl-66-249-66-1.googlebot.com", "verified"],
  ["rate-limited-proxy-66-249-90-77.google.com", "verified"],
  ["CRAWL.GOOGLEBOT.COM", "verified"],
  ["googlebot.com.example.org", "fake"],
  ["evilgooglebot.com", "fake"],
  ["1.2.3.4.bc.googleusercontent.com", "fake"],
] as const)("judges a client that claims to be Googlebot and is named %s: %s", (name, is) => {
  expect(claimedBots([google], named(name))).toEqual([{ name: "Googlebot", is }]);
});

it("judges a name that the domain does not confirm as fake, and not where DNS did not answer", () => {
  const names = [{ name: "crawl.googlebot.com", isConfirmed: false }];
  expect(claimedBots([google], dns({ names }))).toMatchObject([{ is: "fake" }]);
  expect(claimedBots([google], dns({ names, isPartly: true }))).toMatchObject([{ is: "not checked" }]);
  expect(claimedBots([google], dns())).toMatchObject([{ is: "fake" }]);
  for (const outcome of ["unanswered", "off", "special"] as const)
    expect(claimedBots([google], dns({ outcome }))).toMatchObject([{ is: "not checked" }]);
});

it("judges each bot that is claimed, and no other client", () => {
  const agents = [google, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"];
  expect(claimedBots(agents, named("msnbot-157-55-33-18.search.msn.com"))).toEqual([
    { name: "Googlebot", is: "fake" },
    { name: "Bingbot", is: "verified" },
  ]);
  expect(claimedBots(["curl/8", ""], dns())).toEqual([]);
});
