const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** 206 lines as staff paste them in an attack: from logs, reports, mails and lists, each kind by its name. */
export const messyLines = {
  ports: times(30, (i) => `198.51.100.${i}:${44_000 + i}`),
  hostBits: times(40, (i) => `198.18.${i}.130/28`),
  bracketed: times(15, (i) => `[2001:db8:7::${i + 1}]:443`),
  accessLog: times(
    20,
    (i) =>
      `203.0.113.${i} - - [18/Nov/2026:09:02:${10 + i} +0000] "GET /c?next=http://192.0.2.99/, HTTP/1.1" 200 5 "-" "Mozilla/5.0 Chrome/119.0.0.0"`,
  ),
  named: times(10, (i) => `client=198.51.100.${100 + i} ua="Scrapy/2.11"`),
  defanged: times(10, (i) => `198[.]51[.]100[.]${120 + i} ; beacon`),
  spans: times(6, (i) => `203.0.113.${100 + 8 * i}-203.0.113.${105 + 8 * i} scanner`),
  wildcards: times(5, (i) => `198.19.${i}.*`),
  comments: ["// seen again on Tuesday", "; from the report", "# bots", "", "// 192.0.2.1 is ours"]
    .filter((line) => line !== "")
    .concat("; 192.0.2.2", "#192.0.2.3", "  // the rest", "; end"),
  notes: times(10, (i) => `203.0.113.${40 + i};fuzzer`),
  scrapers: times(10, (i) => `203.0.113.${60 + i},scraper`),
  counts: times(5, (i) => `203.0.113.${80 + i}\t${400 + i}`),
  urls: times(8, (i) => `Http://198.51.100.${140 + i}/24/login?a=b`),
  addresses: times(10, (i) => `192.0.2.${100 + i}`),
  v6: times(5, (i) => `2001:DB8:8::${i + 1}`),
  networks: ["2001:db8:42::/48", "198.51.100.160/28", "198.51.100.192/26 # hosting"],
  customers: ["192.0.2.30 # WAF ticket 991", "192.0.2.10"],
  words: ["Hello team,", "ip;note", "Best regards", "--", "std::vector", "nginx version 1.24.0.1"],
  typos: ["203.0.113.300", "203.0.113.1.7", "2001:db8:::1"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const messyText = Object.values(messyLines).flat().join("\n");
