import { ArrowDown, Ban, Check, User } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Hop } from "@/lib/ip/client-path.ts";

const looks = {
  proxy: { tone: "pass", icon: <Check />, word: "trusted" },
  client: { tone: "plain", icon: <User />, word: "your address" },
  ignored: { tone: "plain", icon: <Ban />, word: "not trusted" },
} as const;

/** Every hop of the request, from the socket outwards, and which are trusted. */
export function HopList({ hops }: { hops: readonly Hop[] }) {
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
