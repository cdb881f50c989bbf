import { Globe } from "lucide-react";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { EdgeReply } from "@/lib/queries/edge.ts";
import { DictionaryCard } from "./dictionary-card.tsx";

/** Every edge that is connected, or how to connect one. */
export function Dictionaries({ edge }: { edge: EdgeReply }) {
  const dictionaries = edge.last?.dictionaries ?? [];
  if (dictionaries.length === 0) return edge.isNamed ? null : <NotConnected />;
  return (
    <div className={classes("grid gap-3", dictionaries.length > 1 && "min-[1200px]:grid-cols-2")}>
      {dictionaries.map((dictionary) => (
        <DictionaryCard
          key={dictionary.name}
          dictionary={dictionary}
          found={edge.last?.found ?? 0}
          isStale={edge.isStale}
          now={edge.asOf}
        />
      ))}
    </div>
  );
}

function NotConnected() {
  return (
    <Card>
      <EmptyState
        icon={<Globe />}
        title="No edge is connected"
        hint={
          <>
            Name a Varnish, an HAProxy or a Fastly dictionary in{" "}
            <code className="font-mono text-text">SLUICE_EDGE</code>, then restart the console. README, “In
            front of a site”, has the steps. Until then, clients over the edge limit are not counted.
          </>
        }
      />
    </Card>
  );
}
