import { TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ClientReply } from "@/lib/queries/client.ts";

/** Paths, user agents and apps of the client. Nodes keep samples of its requests: these are shares, not exact counts. */
export function HabitsCard({ told }: { told: ClientReply }) {
  const { requests, userAgents, apps, customers, fingerprints } = told;
  const most = Math.max(1, ...requests.map(({ count }) => count));
  const tool = toolShare(userAgents);
  return (
    <Card
      title="Requests"
      hint="from recent samples"
      actions={
        tool && (
          <Badge tone="plain" icon={<TriangleAlert />}>
            {`Tool: ${tool.name}, ${tool.percent}% of requests`}
          </Badge>
        )
      }
    >
      {requests.length === 0 ? (
        <p className="text-cell text-text-3">No recent samples from this client.</p>
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
      <Part
        title="Standard fingerprints"
        hint="host:path:method:address:user agent"
        items={fingerprints.standard}
        isMono
      />
      <Part title="Broad fingerprints" hint="address:user agent" items={fingerprints.broad} isMono />
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

/** Tool that most of its requests name, and the share of these requests. */
function toolShare(userAgents: ClientReply["userAgents"]) {
  const all = userAgents.reduce((sum, { count }) => sum + count, 0);
  const [name] = userAgents.flatMap(({ tool }) => tool ?? []);
  if (name === undefined) return undefined;
  const named = userAgents.filter(({ tool }) => tool === name);
  const count = named.reduce((sum, one) => sum + one.count, 0);
  return { name, percent: Math.max(1, Math.round((100 * count) / all)) };
}

interface PartProps {
  title: string;
  hint?: string;
  /** Only the beginning of the text is known. */
  items: readonly { text: string; count: number; isCut?: boolean | undefined }[];
  isMono?: boolean;
}

/** Enough to show what repeats. */
const mostShown = 6;

function Part({ title, hint, items, isMono = false }: PartProps) {
  if (items.length === 0) return null;
  return (
    <section className="mt-3 border-t border-border pt-3 text-cell">
      <h3 className="mb-1 text-text-3">
        {title}
        {hint && <span className="font-mono text-meta"> {hint}</span>}
      </h3>
      <ul aria-label={title} className="flex flex-col gap-1">
        {items.slice(0, mostShown).map(({ text, count, isCut }) => (
          <li key={text} className="flex gap-2">
            <span
              className={isMono ? "min-w-0 flex-1 font-mono wrap-anywhere" : "min-w-0 flex-1 wrap-anywhere"}
            >
              {text === "" ? "none" : <Untrusted text={text} max={160} />}
              {isCut && <span className="text-text-3"> (cut short by nodes)</span>}
            </span>
            <span className="text-text-3">{countText(count)}</span>
          </li>
        ))}
        {items.length > mostShown && (
          <li className="text-text-3">and {countText(items.length - mostShown)} more</li>
        )}
      </ul>
    </section>
  );
}
