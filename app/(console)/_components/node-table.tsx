"use client";

import { Check, CircleHelp, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../../components/ui/classes.ts";
import { countText } from "../../../components/ui/count-text.ts";
import { TableFrame, Td, Th, Tr } from "../../../components/ui/data-table.tsx";
import { Untrusted } from "../../../components/ui/untrusted.tsx";
import type { NodeStatus } from "../../../lib/queries/status.ts";
import { nameOf } from "./node-order.ts";

interface NodesProps {
  nodes: readonly NodeStatus[];
  /** They were last heard of a while ago. */
  isOld: boolean;
}

export function NodeTable({ nodes, isOld }: NodesProps) {
  return (
    <TableFrame label="Nodes" className="rounded-t-none border-0 border-t max-sm:hidden">
      <thead>
        <tr>
          <Th>App</Th>
          <Th>Node</Th>
          <Th>Version</Th>
          <Th isNumber>Last change</Th>
          <Th isNumber>Copy confirmed</Th>
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
            <Td>
              <Untrusted text={node.version} max={20} />
            </Td>
            <Td isNumber>{countText(node.lastChange)}</Td>
            <Td isNumber>{sayAge(node)}</Td>
            <Td>
              <Sync node={node} isOld={isOld} />
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

/** The same for phones, where a table has no room. */
export function NodeList({ nodes, isOld }: NodesProps) {
  return (
    <ul className="border-t border-border sm:hidden">
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
          </span>
          <Sync node={node} isOld={isOld} />
        </li>
      ))}
    </ul>
  );
}

function sayAge({ replicaAgeMs }: NodeStatus): string {
  return replicaAgeMs === null ? "unknown" : `${(replicaAgeMs / 1_000).toFixed(1)} s ago`;
}

function Sync({ node: { isInSync, isStamped }, isOld }: { node: NodeStatus; isOld: boolean }) {
  if (isOld) return <Word icon={<CircleHelp />}>not known now</Word>;
  if (!isStamped)
    return (
      <Word icon={<TriangleAlert />} look="text-throttled">
        does not say who asks
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
