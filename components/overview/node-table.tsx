import { Check, CircleHelp, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { sayFollowing } from "@/components/shell/health/health-words.ts";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, type TdProps, Th, Tr } from "@/components/ui/data-table.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, rateText } from "@/components/ui/value-text.ts";
import type { NodeStatus } from "@/lib/queries/status.ts";

interface NodesProps {
  nodes: readonly NodeStatus[];
  /** The nodes are of an earlier read: newer ones failed to load. */
  isOld: boolean;
}

interface Column extends Pick<TdProps, "isNumber" | "isMono" | "className"> {
  label: string;
  draw: (node: NodeStatus, isOld: boolean) => ReactNode;
}

/** Columns of wide tables only. The others show whether the node is healthy. */
const wideOnly = "max-[1399px]:hidden";

const columns: readonly Column[] = [
  { label: "App", draw: ({ app }) => <Untrusted text={app} max={40} /> },
  { label: "Node", isMono: true, draw: (node) => <Untrusted text={nameOf(node)} max={60} /> },
  { label: "Version", className: wideOnly, draw: ({ version }) => <Untrusted text={version} max={20} /> },
  { label: "Requests/s", isNumber: true, draw: ({ requestsPerSecond }) => sayRate(requestsPerSecond) },
  { label: "Denied/s", isNumber: true, draw: ({ deniedPerSecond }) => sayRate(deniedPerSecond) },
  { label: "Counters", draw: (node, isOld) => <Counters node={node} isOld={isOld} /> },
  {
    ...{ label: "Last change", isNumber: true, className: wideOnly },
    draw: ({ lastChange }) => countText(lastChange),
  },
  { label: "Copy confirmed", isNumber: true, className: "max-lg:hidden", draw: sayAge },
  {
    ...{ label: "Changes by", className: wideOnly },
    draw: (node) => <span className="whitespace-nowrap">{sayFollowing(node)}</span>,
  },
  { label: "In sync", draw: (node, isOld) => <Sync node={node} isOld={isOld} /> },
];

export function NodeTable({ nodes, isOld }: NodesProps) {
  return (
    <TableFrame label="Nodes" className="rounded-t-none border-0 border-t max-md:hidden">
      <thead>
        <tr>
          {columns.map(({ label, isNumber, className }) => (
            <Th key={label} isNumber={isNumber} className={className}>
              {label}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody className={isOld ? "text-text-3" : undefined}>
        {nodes.map((node) => (
          <Tr key={node.id}>
            {columns.map(({ label, draw, ...cell }) => (
              <Td key={label} {...cell}>
                {draw(node, isOld)}
              </Td>
            ))}
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
  if (isOld || counters === null) return <Word health="unknown">unknown</Word>;
  const word = sayCounters[counters];
  return <Word health={counters === "ok" ? "good" : "bad"}>{isNamed ? `counters: ${word}` : word}</Word>;
}

function Sync({ node: { isInSync, isStamped }, isOld }: { node: NodeStatus; isOld: boolean }) {
  if (isOld) return <Word health="unknown">unknown</Word>;
  if (!isStamped) return <Word health="bad">client unknown</Word>;
  return isInSync ? <Word health="good">in sync</Word> : <Word health="bad">behind</Word>;
}

const looks = {
  good: { icon: <Check />, colour: "text-pass" },
  bad: { icon: <TriangleAlert />, colour: "text-throttled" },
  unknown: { icon: <CircleHelp />, colour: "text-text-3" },
};

function Word({ health, children }: { health: keyof typeof looks; children: string }) {
  const { icon, colour } = looks[health];
  return (
    <span
      className={classes(
        "inline-flex items-center gap-1.5 align-middle whitespace-nowrap [&_.lucide]:size-3.5",
        colour,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

/** Nodes with a problem first, then by app and name. */
export function inOrder(nodes: readonly NodeStatus[]): NodeStatus[] {
  const rank = (node: NodeStatus) => (node.isInSync && node.isStamped && isCounting(node) ? 1 : 0);
  return nodes.toSorted(
    (a, b) => rank(a) - rank(b) || a.app.localeCompare(b.app) || a.id.localeCompare(b.id),
  );
}

/** A node whose version does not report its counters has no known problem. */
function isCounting({ counters }: NodeStatus): boolean {
  return counters === null || counters === "ok";
}

/** Name without the app, which has its own column. */
export function nameOf({ id, app }: Pick<NodeStatus, "id" | "app">): string {
  return id.startsWith(`${app}@`) ? id.slice(app.length + 1) : id;
}
