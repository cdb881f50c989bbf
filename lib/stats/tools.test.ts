import { describe, expect, it } from "vitest";
import { toolOf } from "./tools.ts";

const scanners: [name: string, userAgent: string][] = [
  ["sqlmap", "sqlmap/1.7.2#stable (https://sqlmap.org)"],
  ["Scrapy", "Scrapy/2.8.0 (+https://scrapy.org)"],
  ["ffuf", "Fuzz Faster U Fool v1.1.0"],
  ["Wfuzz", "Wfuzz/3.1.0"],
  ["Nutch", "MyCrawler/Nutch-1.19 (a crawler; http://example.org/bot)"],
  ["SimplePie", "SimplePie/1.8.0 (Feed Parser; http://simplepie.org; Allow like Gecko) Build/1674754800"],
  ["Nikto", "Mozilla/5.00 (Nikto/2.1.6) (Evasions:None) (Test:Port Check)"],
  ["Nmap", "Mozilla/5.0 (compatible; Nmap Scripting Engine; https://nmap.org/book/nse.html)"],
  ["masscan", "masscan/1.3 (https://github.com/robertdavidgraham/masscan)"],
  ["ZGrab", "Mozilla/5.0 zgrab/0.x"],
  ["gobuster", "gobuster/3.6"],
  ["DirBuster", "DirBuster-1.0-RC1 (http://www.owasp.org/index.php/Category:OWASP_DirBuster_Project)"],
  ["feroxbuster", "feroxbuster/2.10.0"],
  ["httpx", "httpx - Open-source project (github.com/projectdiscovery/httpx)"],
  ["Nuclei", "Nuclei - Open-source project (github.com/projectdiscovery/nuclei)"],
  ["WPScan", "WPScan v3.8.22 (https://wpscan.com/wordpress-security-scanner)"],
  ["WhatWeb", "WhatWeb/0.5.5"],
  ["OpenVAS", "Mozilla/5.0 [en] (X11, U; OpenVAS-VT 21.4.4)"],
  ["Arachni", "Arachni/v1.5.1"],
  ["Hydra", "Mozilla/5.0 (Hydra)"],
  ["HTTrack", "Mozilla/4.5 (compatible; HTTrack 3.0x; Windows 98)"],
  ["Colly", "colly - https://github.com/gocolly/colly/v2"],
];

const scriptClients: [name: string, userAgent: string][] = [
  ["curl", "curl/7.88.1"],
  ["curl", "PycURL/7.45.2 libcurl/7.88.1 OpenSSL/3.0.11 zlib/1.2.13"],
  ["Wget", "Wget/1.21.3"],
  ["python-requests", "python-requests/2.28.1"],
  ["urllib", "Python-urllib/3.11"],
  ["python-httpx", "python-httpx/0.27.0"],
  ["aiohttp", "Python/3.11 aiohttp/3.8.4"],
  ["Go", "Go-http-client/2.0"],
  ["libwww-perl", "libwww-perl/6.68"],
];

const people = {
  browsers: [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 OPR/115.0.0.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
    "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240805.005; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/131.0.6778.39 Mobile Safari/537.36",
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36",
    "Mozilla/5.0 (PlayStation; PlayStation 5/9.00) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15",
    "Opera/9.80 (Windows NT 6.1; WOW64) Presto/2.12.388 Version/12.18",
    "Lynx/2.9.0dev.12 libwww-FM/2.14 SSL-MM/1.4.1 GNUTLS/3.7.8",
    "w3m/0.5.3+git20230121",
    "ELinks/0.13.2 (textmode; Linux 6.1 x86_64; 80x24-2)",
  ],
  "apps of people": [
    "Shop/4.2 (iPhone; iOS 18.1; Scale/3.00)",
    "Shop/412 CFNetwork/1568.200.51 Darwin/24.1.0",
    "okhttp/4.12.0",
    "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/AP2A.240805.005)",
    "WhatsApp/2.24.20.89 A",
    "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)",
  ],
  crawlers: [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.69 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mediapartners-Google",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
    "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
    "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "CCBot/2.0 (https://commoncrawl.org/faq/)",
    "Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)",
    "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  ],
  "feed readers": [
    "Feedly/1.0 (+http://www.feedly.com/fetcher.html; 16 subscribers; like FeedFetcher-Google)",
    "FreshRSS/1.24.0 (Linux; https://freshrss.org)",
    "Tiny Tiny RSS/23.01 (https://tt-rss.org/)",
    "Mozilla/5.0 (compatible; Miniflux/2.1.1; +https://miniflux.app)",
    "NetNewsWire (RSS Reader; https://netnewswire.com/)",
    "Mozilla/5.0 (compatible; inoreader.com; 3 subscribers)",
    "Thunderbird/128.4.0",
  ],
  monitors: [
    "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
    "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
    "check_http/v2.3.3 (nagios-plugins 2.3.3)",
    "kube-probe/1.28",
    "ELB-HealthChecker/2.0",
    "GoogleHC/1.0",
    "Prometheus/2.47.0",
    "Blackbox Exporter/0.24.0",
    "Datadog/Synthetics",
  ],
};

it.each(scanners)("names the scanner or scraper %s: %s", (name, userAgent) => {
  expect(toolOf(userAgent)).toBe(name);
  expect(toolOf(userAgent.toUpperCase())).toBe(name);
});

it.each(scriptClients)("names what a script asks with, %s: %s", (name, userAgent) => {
  expect(toolOf(userAgent)).toBe(name);
});

describe.each(Object.entries(people))("takes none of the %s for a tool", (_, userAgents) => {
  it.each(userAgents)("%s", (userAgent) => {
    expect(toolOf(userAgent)).toBeUndefined();
  });
});

it("does not guess who sends no user agent", () => {
  expect(toolOf("")).toBe("no user agent");
});
