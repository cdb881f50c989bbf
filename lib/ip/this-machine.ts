import { blockOf, parseIp } from "./parse.ts";
import { loopback } from "./range-list.ts";

/** Whether a URL's hostname always means this machine. */
export function isThisMachine(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return true;
  const address = parseIp(hostname.replace(/^\[|\]$/g, ""));
  return address.ok && loopback.covering(blockOf(address.value)) !== undefined;
}
