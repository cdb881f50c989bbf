import { Address } from "@/components/console/address.tsx";
import { AddressLink } from "@/components/console/address-link.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { ClientReply } from "@/lib/queries/client.ts";
import { rangesOf } from "./client-words.ts";

interface NeighboursCardProps {
  told: ClientReply;
  /** Undefined for roles that may not change the lists. */
  onReview: ((range: string) => void) | undefined;
}

/** Other clients of the same network: one client, or a whole range? */
export function NeighboursCard({ told, onReview }: NeighboursCardProps) {
  const { neighbours, earlierNeighbours, client } = told;
  if (neighbours?.length === 0 && earlierNeighbours?.length === 0) return null;
  const range = rangesOf(client).at(-1);
  return (
    <Card
      title={client.includes(":") ? "Same /48" : "Same /24"}
      hint="last 2 min"
      actions={
        onReview &&
        range && (
          <Button size="sm" onClick={() => onReview(range.address)}>
            Review range
          </Button>
        )
      }
    >
      {neighbours?.length === 0 ? (
        <p className="text-cell text-text-3">None in the last 2 min.</p>
      ) : neighbours ? (
        <ul className="flex flex-col gap-1.5 text-cell">
          {neighbours.map((one) => (
            <li key={one.client}>
              <span className="inline-flex max-w-full flex-wrap items-center gap-x-1">
                <Address address={one.client} className="font-mono" />
              </span>
              <span className="flex flex-wrap gap-x-3 text-text-3">
                <span>{counted(one.requests, "request")}</span>
                <span className={one.denied > 0 ? "text-blocked" : undefined}>
                  {countText(one.denied)} denied
                </span>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-cell text-text-3">Unknown: the statistics failed to load.</p>
      )}
      <Earlier neighbours={earlierNeighbours} />
    </Card>
  );
}

/** Clients that were seen before, by their samples. */
function Earlier({ neighbours }: { neighbours: ClientReply["earlierNeighbours"] }) {
  if (neighbours?.length === 0) return null;
  return (
    <section className="mt-3 border-t border-border pt-3 text-cell">
      <h3 className="mb-1 text-text-3">Earlier, last 24 h</h3>
      {neighbours ? (
        <ul aria-label="Earlier, last 24 h" className="flex flex-col gap-1">
          {neighbours.map(({ client, lastAt }) => (
            <li key={client} className="flex flex-wrap items-baseline gap-x-3">
              <AddressLink address={client} className="font-mono" />
              <Timestamp at={lastAt} className="text-text-3" />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-text-3">Unknown: the samples failed to load.</p>
      )}
    </section>
  );
}
