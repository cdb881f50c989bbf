"use client";

import type { ReactNode } from "react";
import type { Standing } from "@/components/console/standing.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { clockText, countText } from "@/components/ui/value-text.ts";
import type { NodeStatus, Status } from "@/lib/queries/status.ts";
import { sayPolling } from "./following-words.ts";

const nodesNamed = 5;

/** Content of the pill's popover: the state of each part, and the names of nodes with a problem. */
export function HealthDetails({ standing: { known, trouble } }: { standing: Standing }) {
  if (!known) return <p className="text-cell text-text-2">{trouble?.message ?? "The status is unknown."}</p>;
  const behind = known.nodes.filter(({ isInSync }) => !isInSync);
  const polling = sayPolling(known.nodes);
  const blind = known.nodes.filter(({ isStamped }) => !isStamped);
  return (
    <div className="flex flex-col gap-3 text-cell">
      {trouble && (
        <p className="text-text-2">
          {trouble.message} The values below are from {clockText(known.at)}.
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        <Fact name="Redis">{known.redis.latencyMs} ms</Fact>
        <Fact name="Counters">{known.counters.isUp ? `${known.counters.latencyMs} ms` : "unavailable"}</Fact>
        <Fact name="Nodes in sync">
          {known.nodes.length - behind.length} of {known.nodes.length}
        </Fact>
        <Fact name="Policy">version {known.policyVersion}</Fact>
        <Fact name="Last change">{sayNewest(known)}</Fact>
      </dl>
      <Nodes says="Behind. The last change is not in force on:" nodes={behind} />
      <Nodes
        says="Nothing is enforced on requests without a client address. Nodes with such requests:"
        nodes={blind}
      />
      {polling && <p className="text-text-2">{polling}</p>}
      {known.warnings.map((warning) => (
        <p key={warning} className="text-throttled">
          {warning}
        </p>
      ))}
    </div>
  );
}

function sayNewest({ newestChange: { number } }: Status): string {
  return number === 0 ? "none yet" : `number ${countText(number)}`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{name}</dt>
      <dd className="text-right">{children}</dd>
    </>
  );
}

function Nodes({ says, nodes }: { says: string; nodes: readonly NodeStatus[] }) {
  if (nodes.length === 0) return null;
  return (
    <div className="text-throttled">
      <p>{says}</p>
      <ul className="mt-1 flex flex-col gap-0.5 font-mono">
        {nodes.slice(0, nodesNamed).map(({ id }) => (
          <li key={id}>
            <Untrusted text={id} max={80} />
          </li>
        ))}
      </ul>
      {nodes.length > nodesNamed && <p>and {nodes.length - nodesNamed} more</p>}
    </div>
  );
}
