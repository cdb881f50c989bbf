/**
 * Simulated clients of the demo. Their addresses are from networks that are reserved for documentation and benchmarks.
 * @typedef {{ ip: string, path: string, method: string, userAgent: string, customerId?: string }} Visit
 * @typedef {{ perSecond: (seconds: number) => number, visit: () => Visit }} Person `perSecond` at so many seconds into the demonstration
 */

const browsers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
  "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
];
const pages = [
  "/",
  "/products",
  "/products/17",
  "/products/42",
  "/cart",
  "/about",
  "/search?q=lamp",
  "/help",
];

/** @template T @param {readonly T[]} things @returns {T} */
const any = (things) => /** @type {T} */ (things[Math.floor(Math.random() * things.length)]);
const upTo = (/** @type {number} */ most) => Math.floor(Math.random() * most);
const steadily = (/** @type {number} */ perSecond) => () => perSecond;
/** So many a second for some of every so many seconds. @param {number} perSecond @param {number} on @param {number} of */
const inBursts = (perSecond, on, of) => (/** @type {number} */ seconds) =>
  seconds % of < on ? perSecond : 0;

/** Each node of the fleet sees these people. @type {Person[]} */
export const people = [
  { perSecond: steadily(18), visit: () => page(`198.18.${upTo(120)}.${1 + upTo(250)}`) },
  { perSecond: steadily(1.5), visit: () => page(`2001:db8:${upTo(40).toString(16)}::${1 + upTo(9)}`) },
  // A campus on the safelist: many people behind one address.
  { perSecond: steadily(0.5), visit: () => page("198.51.100.24") },
  { perSecond: steadily(0.1), visit: () => tool("203.0.113.201", "/", "UptimeRobot/2.0") },
  // At 100 an hour after some seconds, near it for the rest of the hour, near 100 a minute, over 20 a minute, and twice far below.
  ...[
    { id: "1042", from: "192.0.2.10", perSecond: inBursts(2, 20, 300) },
    { id: "5518", from: "192.0.2.60", perSecond: inBursts(2, 9, 3_600) },
    { id: "2210", from: "192.0.2.20", perSecond: steadily(0.38) },
    { id: "3307", from: "192.0.2.40", perSecond: steadily(0.25) },
    { id: "acme", from: "192.0.2.30", perSecond: inBursts(1, 20, 60) },
    { id: "globex", from: "192.0.2.50", perSecond: steadily(0.3) },
  ].map(({ id, from, perSecond }) => ({ perSecond, visit: () => api(from, id) })),
  // A scraper that walks the catalogue and ignores robots.txt.
  {
    perSecond: steadily(1.2),
    visit: () => tool("203.0.113.64", `/products/${upTo(9_999)}`, "Scrapy/2.11.2 (+https://scrapy.org)"),
  },
  {
    perSecond: inBursts(5, 150, 420),
    visit: () =>
      tool(
        "203.0.113.77",
        `/products?id=${upTo(99)}%20AND%20${upTo(9)}=${upTo(9)}`,
        "sqlmap/1.8.9#stable (https://sqlmap.org)",
      ),
  },
  {
    perSecond: inBursts(9, 40, 240),
    visit: () =>
      tool(
        "203.0.113.81",
        any(["/.env", "/wp-login.php", "/admin", "/.git/config", "/backup.zip"]),
        "Fuzz Faster U Fool v2.1.0",
      ),
  },
  // Clients on the blocklist that continue.
  ...["203.0.113.12", "203.0.113.45", "198.51.100.163", "2001:db8:beef::1f", "203.0.113.164"].map((ip) => ({
    perSecond: steadily(0.15),
    visit: () => tool(ip, any(pages), "python-requests/2.32.3"),
  })),
  // Searches faster than the rule in shadow allows, and slower than the limits that are enforced.
  {
    perSecond: steadily(0.2),
    visit: () => tool("198.51.100.88", `/search?q=lamp&page=${upTo(99)}`, "PriceBot/1.4"),
  },
  // Guesses passwords, and is banned by the rule "login" within seconds.
  {
    perSecond: inBursts(1.5, 200, 360),
    visit: () => ({ ...tool("198.51.100.143", "/session", "python-requests/2.32.3"), method: "POST" }),
  },
  // An abuser who exceeds the limits for two minutes, then slows down and passes again.
  {
    perSecond: (seconds) => (seconds % 600 < 120 ? 4 : 0.08),
    visit: () => tool("203.0.113.9", "/search?q=a", "curl/8.10.1"),
  },
];

/** @param {string} ip @returns {Visit} */
function page(ip) {
  return { ip, path: any(pages), method: "GET", userAgent: any(browsers) };
}

/** @param {string} ip @param {string} customerId @returns {Visit} */
function api(ip, customerId) {
  return {
    ip,
    path: `/api/orders/${upTo(500)}`,
    method: any(["GET", "GET", "POST"]),
    userAgent: "acme-sync/3.2",
    customerId,
  };
}

/** @param {string} ip @param {string} path @param {string} userAgent @returns {Visit} */
function tool(ip, path, userAgent) {
  return { ip, path, method: "GET", userAgent };
}
