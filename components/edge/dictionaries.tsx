import { Check, CircleDashed, Clock, Globe, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { EdgeDictionary, EdgeReply } from "@/lib/queries/edge.ts";
import { lookOf, sayRoom } from "./edge-words.ts";

/** Every edge that is connected, or how to connect one. */
export function Dictionaries({ edge }: { edge: EdgeReply }) {
  const dictionaries = edge.last?.dictionaries ?? [];
  if (dictionaries.length === 0) return edge.isNamed ? null : <NotConnected />;
  return (
    <div className={classes("grid gap-3", dictionaries.length > 1 && "min-[1200px]:grid-cols-2")}>
      {dictionaries.map((dictionary) => (
        <DictionaryCard key={dictionary.name} {...{ dictionary, edge }} />
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
            <code className="font-mono text-text">SLUICE_EDGE</code>, then restart the console. The steps are
            in docs/tasks/edge.md. Until then, clients over the edge limit are not counted.
          </>
        }
      />
    </Card>
  );
}

const icons = {
  pass: <Check />,
  throttled: <Clock />,
  blocked: <TriangleAlert />,
  plain: <CircleDashed />,
} as const;

const longestTrouble = 300;

/** One edge: wanted and actual content, and the error between them. */
function DictionaryCard({ dictionary, edge }: { dictionary: EdgeDictionary; edge: EdgeReply }) {
  // While edge sync is stopped, the last known state is shown.
  const { isStale } = edge;
  const { name, wished, actual, trouble, callsLastHour, callsAnHour } = dictionary;
  const { tone, word } = lookOf(dictionary, edge.asOf);
  return (
    <Card
      title={<Untrusted text={name} max={80} className="font-mono" />}
      actions={
        <Badge tone={isStale ? "plain" : tone} icon={icons[isStale ? "plain" : tone]}>
          {isStale ? "unknown" : word}
        </Badge>
      }
    >
      <dl className={classes("flex flex-wrap gap-x-8 gap-y-2", isStale && "text-text-3")}>
        <Figure name="Denied there">
          {actual === null ? "unknown" : countText(actual)}
          <Aside>{` of ${countText(wished)} wanted`}</Aside>
        </Figure>
        <Figure name="Room">
          <span className="font-normal">
            {sayRoom(dictionary, wished === 0 ? 0 : (edge.last?.found ?? 0))}
          </span>
        </Figure>
        {callsAnHour !== null && (
          <Figure name="Calls, last hour">
            {countText(callsLastHour ?? 0)}
            <Aside>{` of ${countText(callsAnHour)} allowed`}</Aside>
          </Figure>
        )}
      </dl>
      {trouble !== null && (
        <p className="mt-2 text-body text-blocked">
          <Untrusted text={trouble} max={longestTrouble} />
        </p>
      )}
    </Card>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-meta text-text-3">{name}</dt>
      <dd className="text-body font-semibold">{children}</dd>
    </div>
  );
}

function Aside({ children }: { children: string }) {
  return <span className="font-normal text-text-3">{children}</span>;
}
