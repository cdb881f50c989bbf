import { type ProtectedRange, protectedRanges } from "../../enforce/lists/protected.ts";
import type { Environment } from "../../env.ts";
import { DomainError } from "../../errors.ts";
import { parseTrust, type Trust } from "../../ip/client-address.ts";
import { type Cidr, type Ip, parseRanges } from "../../ip/parse.ts";

/** Trusted proxies and protected ranges, as the environment names them. */
export interface Protection {
  readonly trust: Trust;
  readonly neverBlock: readonly (Ip | Cidr)[];
  readonly protectedRanges: readonly ProtectedRange[];
}

type ProtectionSettings = Pick<Environment, "trustedProxies" | "neverBlock">;

/** Throws an error that names the variable and the unreadable part: a range left out would be unprotected. */
export function readProtection(settings: ProtectionSettings): Protection {
  const trust = parseTrust(settings.trustedProxies);
  if (!trust.ok) throw unreadable("SLUICE_TRUSTED_PROXIES", trust.reason);
  const neverBlock = parseRanges(settings.neverBlock);
  if (!neverBlock.ok) throw unreadable("SLUICE_NEVER_BLOCK", neverBlock.reason);
  return {
    trust: trust.value,
    neverBlock: neverBlock.value,
    protectedRanges: protectedRanges({
      trustedProxies: trust.value.ranges.ranges,
      neverBlock: neverBlock.value,
    }),
  };
}

function unreadable(variable: string, reason: string): DomainError {
  return new DomainError("not-configured", `${variable}: ${reason}.`, { [variable]: reason });
}
