import type { Spotter } from "../edge/spotter.ts";
import { type Block, formatIp } from "../ip/block.ts";
import { bareHost } from "../policy/fingerprint.ts";
import { headerOf, rawPath } from "../policy/request.ts";
import type { GuardRequest } from "./guard.ts";
import type { Verdict } from "./verdict.ts";

interface Checked {
  readonly request: GuardRequest;
  readonly client: Block;
  readonly verdict: Verdict;
}

/** Tells the edge's eye who came. Whom nobody may turn away is not looked at. It must never fail a request. */
export function spot(spotter: Spotter | undefined, { request, client, verdict }: Checked): void {
  if (!spotter || verdict.outcome === "safelisted") return;
  try {
    const { method = "GET", host = "", path = "/", target = path } = request;
    spotter.note(
      {
        host: bareHost(host),
        path: rawPath({ path: target }),
        method,
        ip: formatIp(client),
        userAgent: headerOf(request, "user-agent") ?? "",
      },
      request.customerId !== undefined,
    );
  } catch {
    // An odd request was counted as far as it could be.
  }
}
