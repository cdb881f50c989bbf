import { partOf } from "../edge/part-of.ts";
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

/** Behind an IPv6 address it could not be told from the address' end: a neighbour would be turned away in its place. */
const looksLikeAddress = /^[0-9a-f]{0,4}:/i;

/** No more of it counts. */
const longestAgent = 256;

/** Tells the edge's eye who came. Whom nobody may turn away is not looked at. It must never fail a request. */
export function spot(spotter: Spotter | undefined, { request, client, verdict }: Checked): void {
  if (!spotter?.isOn || verdict.outcome === "safelisted") return;
  try {
    const { method = "GET", host = "", path = "/", target = path } = request;
    const agent = headerOf(request, "user-agent") ?? "";
    if (client.family === 6 && looksLikeAddress.test(agent)) return;
    spotter.note(
      {
        host: partOf(host, bareHost(host)),
        path: partOf(target, rawPath({ path: target })),
        method,
        ip: formatIp(client),
        userAgent: partOf(agent, agent.slice(0, longestAgent)),
      },
      request.customerId !== undefined,
    );
  } catch {
    // An odd request was counted as far as it could be.
  }
}
