import type { ReactNode } from "react";
import { Banner } from "@/components/ui/banner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";

interface OlderNodesProps {
  nodes: readonly string[];
  /** What they do not know: "feeds". */
  without: string;
  /** What they do instead, after their names, and what to do. */
  children: ReactNode;
}

/** Warns of nodes that enforce less than the page says. */
export function OlderNodes({ nodes, without, children }: OlderNodesProps) {
  if (nodes.length === 0) return null;
  return (
    <Banner tone="throttled" title={`${counted(nodes.length, "node")} without ${without}`}>
      <Untrusted text={nodes.slice(0, 5).join(", ")} max={300} /> {children}
    </Banner>
  );
}
