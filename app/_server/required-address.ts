import { DomainError } from "../../lib/errors.ts";
import { type Cidr, type Ip, parseAddress } from "../../lib/ip/parse.ts";

/** An address or range that a reader names. */
export function requireAddress(text: string): Ip | Cidr {
  const parsed = parseAddress(text);
  if (parsed.ok) return parsed.value;
  throw new DomainError("bad-input", `${parsed.reason}.`, { client: parsed.reason });
}
