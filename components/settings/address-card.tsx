import { ArrowDown, Ban, Check, CircleAlert, CircleCheck, User } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { readOwnPath } from "@/lib/console/session/session.ts";
import type { Hop } from "@/lib/ip/client-path.ts";
import { type Advice, adviceOn } from "./address-advice.ts";

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

const looks = {
  proxy: { tone: "pass", icon: <Check />, word: "trusted" },
  client: { tone: "plain", icon: <User />, word: "your address" },
  ignored: { tone: "plain", icon: <Ban />, word: "not trusted" },
} as const;

/** Every hop of the request, from the socket outwards, and which are trusted. */
function HopList({ hops }: { hops: readonly Hop[] }) {
  return (
    <ol aria-label="Hops of this request, from the console outwards" className="flex flex-col">
      {hops.map((hop, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same address may come twice, and nothing here moves.
        <li key={i} className="flex flex-col">
          {i > 0 && <ArrowDown className="my-0.5 ml-2 size-3 text-text-3" />}
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-control bg-sunken px-2 py-1.5 text-cell">
            <Untrusted text={hop.text === "" ? "(empty)" : hop.text} max={80} className="font-mono" />
            <Badge tone={looks[hop.part].tone} icon={looks[hop.part].icon}>
              {looks[hop.part].word}
            </Badge>
            <span className="text-text-3">{sayPlace(hop, i)}</span>
          </div>
        </li>
      ))}
    </ol>
  );
}

function sayPlace({ address, part, because }: Hop, i: number): string {
  const where = i === 0 ? "the connection's address" : "named in X-Forwarded-For";
  if (address === undefined) return `${where}, not an address`;
  if (part === "ignored") return `${where}, by an untrusted client`;
  return because && part === "proxy" ? `${where}, trusted as ${because}` : where;
}
