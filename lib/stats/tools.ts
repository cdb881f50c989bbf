/** How programs that scan, scrape and fuzz name themselves, and what people call them. Plain text, so that nothing can hang. */
const marks: readonly (readonly [mark: string, name: string])[] = [
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
  ["nuclei", "Nuclei"],
  ["wpscan", "WPScan"],
  ["python-requests", "python-requests"],
  ["python-urllib", "urllib"],
  ["aiohttp", "aiohttp"],
  ["go-http-client", "Go"],
  ["libwww-perl", "libwww-perl"],
  ["curl/", "curl"],
  ["wget/", "Wget"],
];

/** The tool that a user agent names; nothing for what people browse with. */
export function toolOf(userAgent: string): string | undefined {
  if (userAgent === "") return "no user agent";
  const text = userAgent.toLowerCase();
  return marks.find(([mark]) => text.includes(mark))?.[1];
}
