import * as z from "zod/mini";
import { largestLimit, whole } from "./bounds.ts";

/** How programs that scan, scrape and fuzz name themselves, and what people call them. Plain text, so that nothing can hang. */
export const scanners: readonly (readonly [mark: string, name: string])[] = [
  ["sqlmap", "sqlmap"],
  ["scrapy", "Scrapy"],
  ["fuzz faster u fool", "ffuf"],
  ["ffuf", "ffuf"],
  ["wfuzz", "Wfuzz"],
  ["nutch", "Nutch"],
  ["simplepie", "SimplePie"],
  ["nikto", "Nikto"],
  ["nmap scripting", "Nmap"],
  ["masscan", "masscan"],
  ["zgrab", "ZGrab"],
  ["gobuster", "gobuster"],
  ["dirbuster", "DirBuster"],
  ["feroxbuster", "feroxbuster"],
  ["projectdiscovery/httpx", "httpx"],
  ["nuclei", "Nuclei"],
  ["wpscan", "WPScan"],
  ["whatweb", "WhatWeb"],
  ["openvas", "OpenVAS"],
  ["arachni/", "Arachni"],
  ["(hydra)", "Hydra"],
  ["httrack", "HTTrack"],
  ["gocolly", "Colly"],
];

/** What people browse with, and what they want to be found by, word by word: a tool named like one of these would catch them. */
const innocents = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0",
  "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
].map((agent) => agent.toLowerCase());

const mostTools = 100;

const tool = z.string({ error: "write a word of its user agent" }).check(
  z.trim(),
  z.regex(/^[\x20-\x7e]{3,64}$/, { error: "write 3 to 64 plain characters of its user agent" }),
  z.toLowerCase(),
  z.refine((word) => !innocents.some((agent) => agent.includes(word)), {
    error: "ordinary browsers name themselves so, too: write a word that only the tool uses",
  }),
);

const perMinute = (usual: number) => z._default(whole(1, largestLimit), usual);

/** Which clients are denied before a request reaches the fleet. */
export const edgeSchema = z.strictObject(
  {
    /** Requests a minute of one client for one path of one host. */
    standardPerMinute: perMinute(120),
    /** Requests a minute of a known tool, whatever it asks for. */
    broadPerMinute: perMinute(300),
    /** How long after the last minute over the limit. */
    coolDownMinutes: z._default(whole(0, 1_440), 10),
    /** Whose user agent has one of these in it is known for a tool; no patterns, so that nothing can hang. */
    tools: z._default(
      z
        .array(tool, { error: "write a list of words" })
        .check(z.maxLength(mostTools, { error: `at most ${mostTools} tools fit here` })),
      scanners.map(([word]) => word),
    ),
  },
  { error: "write { standardPerMinute, broadPerMinute, coolDownMinutes, tools }" },
);

export type EdgePolicy = z.output<typeof edgeSchema>;

/** Whether a user agent is that of a known tool. Cheap where the same few agents come again and again. */
export class Tools {
  readonly #words: readonly string[];
  readonly #known = new Map<string, boolean>();

  constructor(words: readonly string[]) {
    this.#words = words;
  }

  has(userAgent: string): boolean {
    const known = this.#known.get(userAgent);
    if (known !== undefined) return known;
    const isTool = this.find(userAgent) !== undefined;
    if (this.#known.size >= mostKnown) this.#known.clear();
    if (userAgent.length <= longestKnown) this.#known.set(userAgent, isTool);
    return isTool;
  }

  /** The word that names it. */
  find(userAgent: string): string | undefined {
    const text = userAgent.slice(0, longestLooked).toLowerCase();
    return this.#words.find((word) => text.includes(word));
  }
}

const mostKnown = 4_096;
const longestKnown = 512;
/** As much of it as a fingerprint holds. */
const longestLooked = 256;
