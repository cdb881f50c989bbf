import { CircleAlert, CircleCheck } from "lucide-react";
import { Card } from "@/components/ui/card.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { readOwnPath } from "@/lib/console/session/session.ts";
import type { Hop } from "@/lib/ip/client-path.ts";
import { type Advice, adviceOn } from "./address-advice.ts";
import { HopList } from "./hop-list.tsx";

type OwnPath = Awaited<ReturnType<typeof readOwnPath>>;

/** Client address of this request, how it was found, and what to set if it is wrong. */
export function AddressCard({ trust, forwardedFor, hops }: OwnPath) {
  return (
    <Card title="Your address" hint="as seen from this request">
      <div className="flex flex-col gap-3">
        <p className="text-body">
          <YouComeFrom hops={hops} />
        </p>
        <HopList hops={hops} />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-cell">
          <dt className="text-text-3">X-Forwarded-For, as received</dt>
          <dd>
            {forwardedFor === null ? (
              "none"
            ) : (
              <Untrusted text={forwardedFor} max={300} className="font-mono" />
            )}
          </dd>
          <dt className="text-text-3">SLUICE_TRUSTED_PROXIES</dt>
          <dd className="font-mono">{sayTrust(trust)}</dd>
        </dl>
        <AdviceText advice={adviceOn(hops, trust)} />
      </div>
    </Card>
  );
}

function YouComeFrom({ hops }: { hops: readonly Hop[] }) {
  const client = hops.find(({ part }) => part === "client")?.address;
  const proxies = hops.flatMap(({ part, address }) => (part === "proxy" && address ? [address] : []));
  if (!client) return "Your address is unknown.";
  return (
    <>
      Your address is <strong className="font-mono font-medium">{client}</strong>
      {proxies.length > 0 && `, through ${proxies.toReversed().join(" and ")} (trusted)`}. You cannot block
      this address yourself.
    </>
  );
}

function AdviceText({ advice: { isWell, says, cure, setting } }: { advice: Advice }) {
  return (
    <div className="flex gap-2 text-cell">
      {isWell ? (
        <CircleCheck className="mt-px text-pass" aria-label="OK" />
      ) : (
        <CircleAlert className="mt-px text-throttled" aria-label="Check this" />
      )}
      <div className="flex min-w-0 flex-col gap-1">
        <p>{says}</p>
        {cure && <p className="text-text-2">{cure}</p>}
        {setting && (
          <code className="w-fit max-w-full rounded-control bg-sunken px-2 py-1 font-mono wrap-anywhere">
            SLUICE_TRUSTED_PROXIES={setting}
          </code>
        )}
      </div>
    </div>
  );
}

function sayTrust({ hops, ranges }: OwnPath["trust"]): string {
  if (hops > 0) return hops === 1 ? "1 hop" : `${hops} hops`;
  return ranges.ranges.length > 0 ? ranges.ranges.join(", ") : "nobody";
}
