import { isCustomerId } from "../customers/id.ts";
import { type Block, formatIp } from "../ip/block.ts";
import { headerOf } from "../policy/request.ts";
import { countedAs } from "../stats/counted-as.ts";
import type { Reporter } from "../stats/reporter.ts";
import type { Glimpse } from "../stats/tally.ts";
import type { GuardRequest } from "./guard.ts";
import type { Verdict } from "./verdict.ts";

interface Checked {
  readonly request: GuardRequest;
  readonly client: Block | undefined;
  readonly verdict: Verdict;
  readonly tookMs: number;
}

/** What a path is cut to, and a user agent: as much of it as fingerprints hold. */
const longest = { path: 200, agent: 256 } as const;

/** Tells the statistics what was decided. It must never fail a request. */
export function report(reporter: Reporter, { request, client, verdict, tookMs }: Checked): void {
  try {
    const { outcome, rule, shadowed, counted, trouble } = verdict;
    reporter.note(
      {
        outcome,
        rule,
        shadowed,
        tookMs,
        client: counted,
        isUnsure: trouble !== undefined,
        network: client && networkOf(client, request.ip),
        customerId: customerOf(request),
      },
      () => glimpseOf(request, client),
    );
  } catch {
    // An odd request was counted as far as it could be.
  }
}

/** What is written with dots alone is canonical as it stands. */
function networkOf(client: Block, text: string | undefined): string {
  if (client.family === 6) return countedAs(client);
  return text !== undefined && !text.includes(":") ? text : formatIp(client);
}

function customerOf(request: GuardRequest): string | undefined {
  const { customerId } = request;
  return typeof customerId === "string" && isCustomerId(customerId) ? customerId : undefined;
}

function glimpseOf(request: GuardRequest, client: Block | undefined): Glimpse {
  const { method = "GET", host = "", path = "/" } = request;
  return {
    ip: client ? formatIp(client) : "",
    method: String(method).slice(0, 16),
    host: String(host).slice(0, 100),
    path: String(path).slice(0, longest.path),
    userAgent: (headerOf(request, "user-agent") ?? "").slice(0, longest.agent),
  };
}
