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

/** Programs that are known by words of their user agents. A sender may write any other. */
export const toolGroups = {
  scanners: scanners.map(([mark]) => mark),
  /** What scripts send unless they name themselves. Not the libraries of apps on phones. */
  libraries: [
    ...["curl/", "wget/", "python-requests/", "python-urllib/", "python-httpx/", "aiohttp/", "urllib3/"],
    ...[
      "go-http-client/",
      "java/",
      "apache-httpclient/",
      "libwww-perl/",
      "guzzlehttp/",
      "node-fetch",
      "axios/",
    ],
    ...["undici", "got (https://github.com/sindresorhus/got)", "faraday v", "rest-client/", "mechanize/"],
    ...["powershell/", "httpie/", "postmanruntime/", "insomnia/", "reqwest/"],
  ],
  headless: ["headlesschrome", "phantomjs", "slimerjs", "puppeteer", "playwright", "selenium"],
  "ai-crawlers": [
    ...[
      "gptbot",
      "oai-searchbot",
      "chatgpt-user",
      "claudebot",
      "claude-user",
      "claude-searchbot",
      "anthropic-ai",
    ],
    ...["ccbot", "perplexitybot", "perplexity-user", "bytespider", "amazonbot", "meta-externalagent"],
    ...["applebot-extended", "cohere-ai", "diffbot", "imagesiftbot", "omgili", "youbot", "mistralai-user"],
  ],
  "seo-crawlers": [
    ...["ahrefsbot", "ahrefssiteaudit", "semrushbot", "siteauditbot", "mj12bot", "dotbot", "rogerbot"],
    ...["blexbot", "serpstatbot", "dataforseobot", "seokicks", "screaming frog", "petalbot", "megaindex"],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ToolGroup = keyof typeof toolGroups;

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

export function isOfBrowsers(word: string): boolean {
  return innocents.some((agent) => agent.includes(word));
}

export const toolWord = z
  .string({ error: "write a word of its user agent" })
  .check(
    z.trim(),
    z.regex(/^[\x20-\x7e]{3,64}$/, { error: "write 3 to 64 plain characters of its user agent" }),
    z.toLowerCase(),
  );

const tool = toolWord.check(
  z.refine((word) => !isOfBrowsers(word), {
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

/** Whether a header, such as the user agent of a known tool, has one of some words. Cheap where the same few come again and again. */
export class Tools {
  readonly #words: readonly string[];
  readonly #longest: number;
  readonly #known = new Map<string, boolean>();

  /** @param longest how much of a header is looked at: as much of a user agent as a fingerprint holds, unless given */
  constructor(words: readonly string[], longest = 256) {
    this.#words = words;
    this.#longest = longest;
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
    const text = userAgent.slice(0, this.#longest).toLowerCase();
    return this.#words.find((word) => text.includes(word));
  }
}

const mostKnown = 4_096;
const longestKnown = 512;
