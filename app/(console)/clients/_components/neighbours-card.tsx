"use client";

import { Card } from "../../../../components/ui/card.tsx";
import { countText } from "../../../../components/ui/count-text.ts";
import { TextLink } from "../../../../components/ui/link.tsx";
import type { ClientReply } from "../../../../lib/queries/client.ts";

/** Others of the same network: is it one client, or a range? */
export function NeighboursCard({ told: { neighbours, client } }: { told: ClientReply }) {
  if (neighbours.length === 0) return null;
  return (
    <Card title={client.includes(":") ? "Same /48" : "Same /24"} hint="this minute and the last">
      <ul className="flex flex-col gap-1.5 text-cell">
        {neighbours.map((one) => (
          <li key={one.client} className="flex items-center gap-3">
            <span className="min-w-0 flex-1 truncate font-mono">
              <TextLink href={`/clients/${encodeURIComponent(one.client)}`} className="inline-block py-1">
                {one.client}
              </TextLink>
            </span>
            <span className="text-text-3">{countText(one.requests)} requests</span>
            <span className={one.denied > 0 ? "text-blocked" : "text-text-3"}>
              {countText(one.denied)} denied
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
