"use client";

import { TriangleAlert } from "lucide-react";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { countText } from "../../../../components/ui/count-text.ts";
import { TextLink } from "../../../../components/ui/link.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { ClientReply } from "../../../../lib/queries/client.ts";

/** What it asks for, and as what. Nodes keep some requests of each client, so these are shares, not exact counts. */
export function HabitsCard({ told: { requests, userAgents, apps, customers } }: { told: ClientReply }) {
  const most = Math.max(1, ...requests.map(({ count }) => count));
  const tool = userAgents.find((agent) => agent.tool);
  return (
    <Card
      title="Requests"
      hint="of what nodes kept lately"
      actions={
        tool && (
          <Badge tone="plain" icon={<TriangleAlert />}>
            Tool: {tool.tool}
          </Badge>
        )
      }
    >
      {requests.length === 0 ? (
        <p className="text-cell text-text-3">No request of it was kept lately.</p>
      ) : (
        <ul className="flex flex-col gap-1.5">
          {requests.map(({ method, text, count }) => (
            <li key={`${method} ${text}`} className="flex items-center gap-2 font-mono text-cell">
              <span className="w-12 shrink-0 text-text-3">{method}</span>
              <span className="min-w-0 flex-1 truncate">
                <Untrusted text={text} max={90} />
              </span>
              <span className="h-1 w-14 shrink-0 rounded-full bg-track" aria-hidden="true">
                <span
                  className="block h-full rounded-full bg-text-3"
                  style={{ width: `${(100 * count) / most}%` }}
                />
              </span>
              <span className="w-12 shrink-0 text-right">{countText(count)}</span>
            </li>
          ))}
        </ul>
      )}
      <Part title="User agents" items={userAgents} isMono />
      <Part title="Apps" items={apps} />
      {customers.length > 0 && (
        <section className="mt-3 border-t border-border pt-3 text-cell">
          <h3 className="mb-1 text-text-3">Customers</h3>
          <p className="flex flex-wrap gap-x-3 gap-y-1">
            {customers.map(({ text }) => (
              <TextLink key={text} href={`/customers/${encodeURIComponent(text)}`}>
                <Untrusted text={text} max={40} />
              </TextLink>
            ))}
          </p>
        </section>
      )}
    </Card>
  );
}

function Part(props: { title: string; items: readonly { text: string; count: number }[]; isMono?: boolean }) {
  const { title, items, isMono = false } = props;
  if (items.length === 0) return null;
  return (
    <section className="mt-3 border-t border-border pt-3 text-cell">
      <h3 className="mb-1 text-text-3">{title}</h3>
      <ul className="flex flex-col gap-1">
        {items.map(({ text, count }) => (
          <li key={text} className="flex gap-2">
            <span
              className={isMono ? "min-w-0 flex-1 font-mono wrap-anywhere" : "min-w-0 flex-1 wrap-anywhere"}
            >
              {text === "" ? "none" : <Untrusted text={text} max={160} />}
            </span>
            <span className="text-text-3">{countText(count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
