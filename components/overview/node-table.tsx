"use client";

import { Check, CircleHelp, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { sayFollowing } from "@/components/shell/health/health-words.ts";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, rateText } from "@/components/ui/value-text.ts";
import type { NodeStatus } from "@/lib/queries/status.ts";
import { isCounting, nameOf } from "./node-order.ts";

interface NodesProps {
  nodes: readonly NodeStatus[];
  /** The nodes are of an earlier read: newer ones failed to load. */
  isOld: boolean;
}

/** Columns of wide tables only. The others show whether the node is healthy. */
const wideOnly = "max-[1399px]:hidden";

export function NodeTable({ nodes, isOld }: NodesProps) {
  return (
    <TableFrame label="Nodes" className="rounded-t-none border-0 border-t max-md:hidden">
      <thead>
        <tr>
          <Th>App</Th>
          <Th>Node</Th>
          <Th className={wideOnly}>Version</Th>
          <Th isNumber>Requests/s</Th>
          <Th isNumber>Denied/s</Th>
          <Th>Counters</Th>
          <Th isNumber className={wideOnly}>
            Last change
          </Th>
          <Th isNumber className="max-lg:hidden">
            Copy confirmed
          </Th>
          <Th className={wideOnly}>Changes by</Th>
          <Th>In sync</Th>
        </tr>
      </thead>
      <tbody className={isOld ? "text-text-3" : undefined}>
        {nodes.map((node) => (
          <Tr key={node.id}>
            <Td>
              <Untrusted text={node.app} max={40} />
            </Td>
            <Td isMono>
              <Untrusted text={nameOf(node)} max={60} />
            </Td>
            <Td className={wideOnly}>
              <Untrusted text={node.version} max={20} />
            </Td>
            <Td isNumber>{sayRate(node.requestsPerSecond)}</Td>
            <Td isNumber>{sayRate(node.deniedPerSecond)}</Td>
            <Td>
              <Counters node={node} isOld={isOld} />
            </Td>
            <Td isNumber className={wideOnly}>
              {countText(node.lastChange)}
            </Td>
            <Td isNumber className="max-lg:hidden">
              {sayAge(node)}
            </Td>
            <Td className={wideOnly}>
              <span className="whitespace-nowrap">{sayFollowing(node)}</span>
            </Td>
            <Td>
              <Sync node={node} isOld={isOld} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** Nodes as a list, for phones. */
export function NodeList({ nodes, isOld }: NodesProps) {
  return (
    <ul className="border-t border-border md:hidden">
      {nodes.map((node) => (
        <li
          key={node.id}
          className="flex items-center gap-3 border-border px-3.5 py-2 text-cell not-last:border-b"
        >
          <span className={classes("min-w-0 flex-1", isOld && "text-text-3")}>
            <Untrusted text={node.app} max={40} />
            <span className="block font-mono text-meta text-text-3">
              <Untrusted text={nameOf(node)} max={60} />
            </span>
            <span className="block text-meta text-text-3">{sayRates(node)}</span>
            {node.following !== null && node.following !== "tracking" && (
              <span className="block text-meta text-text-3">{sayFollowing(node)}</span>
            )}
          </span>
          <span className="flex flex-col items-end gap-0.5">
            <Sync node={node} isOld={isOld} />
            {!isCounting(node) && <Counters node={node} isOld={isOld} isNamed />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function sayAge({ replicaAgeMs }: NodeStatus): string {
  return replicaAgeMs === null ? "unknown" : `${(replicaAgeMs / 1_000).toFixed(1)} s ago`;
}

function sayRate(perSecond: number | null): string {
  return perSecond === null ? "unknown" : rateText(perSecond);
}

function sayRates({ requestsPerSecond, deniedPerSecond }: NodeStatus): string {
  if (requestsPerSecond === null) return "requests/s unknown";
  return `${sayRate(requestsPerSecond)} requests/s, ${sayRate(deniedPerSecond)} denied`;
}

const sayCounters = {
  ok: "OK",
  late: "overdue, probing",
  away: "no connection",
  refused: "reply with errors",
} as const;

interface CountersProps {
  node: NodeStatus;
  isOld: boolean;
  /** The text names the counters, where there is no column head. */
  isNamed?: boolean;
}

/** State of the counters. While they are unavailable, onStoreError of each rule applies. */
function Counters({ node: { counters }, isOld, isNamed = false }: CountersProps) {
  if (isOld || counters === null) return <Word icon={<CircleHelp />}>unknown</Word>;
  if (counters === "ok")
    return (
      <Word icon={<Check />} look="text-pass">
        {sayCounters.ok}
      </Word>
    );
  return (
    <Word icon={<TriangleAlert />} look="text-throttled">
      {isNamed ? `counters: ${sayCounters[counters]}` : sayCounters[counters]}
    </Word>
  );
}

function Sync({ node: { isInSync, isStamped }, isOld }: { node: NodeStatus; isOld: boolean }) {
  if (isOld) return <Word icon={<CircleHelp />}>unknown</Word>;
  if (!isStamped)
    return (
      <Word icon={<TriangleAlert />} look="text-throttled">
        client unknown
      </Word>
    );
  return isInSync ? (
    <Word icon={<Check />} look="text-pass">
      in sync
    </Word>
  ) : (
    <Word icon={<TriangleAlert />} look="text-throttled">
      behind
    </Word>
  );
}

function Word({
  icon,
  look = "text-text-3",
  children,
}: {
  icon: ReactNode;
  look?: string;
  children: string;
}) {
  return (
    <span
      className={classes(
        "inline-flex items-center gap-1.5 align-middle whitespace-nowrap [&_.lucide]:size-3.5",
        look,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
