import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import type { ClientReply } from "@/lib/queries/client.ts";
import { rangesOf } from "./client-words.ts";

interface NeighboursCardProps {
  told: ClientReply;
  /** Undefined for roles that may not change the lists. */
  onReview: ((range: string) => void) | undefined;
}

/** Other clients of the same network: one client, or a whole range? */
export function NeighboursCard({ told: { neighbours, client }, onReview }: NeighboursCardProps) {
  if (neighbours?.length === 0) return null;
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
      {neighbours ? (
        <ul className="flex flex-col gap-1.5 text-cell">
          {neighbours.map((one) => (
            <li key={one.client}>
              <TextLink
                href={`/clients/${encodeURIComponent(one.client)}`}
                className="inline-block py-1 font-mono"
              >
                {one.client}
              </TextLink>
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
    </Card>
  );
}
