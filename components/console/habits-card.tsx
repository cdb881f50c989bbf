import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { counted, secondsText, shareText, spanText } from "@/components/ui/value-text.ts";
import type { Habits } from "@/lib/queries/habits.ts";

interface HabitsCardProps {
  /** Undefined while loading. */
  readonly habits: Pick<Habits, "samples" | "userAgents"> | undefined;
  readonly children: ReactNode;
}

/** Frame of what a client or customer requests. Its head says where the shares come from, and names a tool. */
export function HabitsCard({ habits, children }: HabitsCardProps) {
  const tool = habits && toolShare(habits.userAgents);
  return (
    <Card
      title="Requests"
      hint={habits?.samples && saySamples(habits.samples)}
      actions={
        tool && (
          <Badge tone="plain" icon={<TriangleAlert />}>
            {`Tool: ${tool.name}, ${shareText(tool.share)} of requests`}
          </Badge>
        )
      }
    >
      {children}
    </Card>
  );
}

/** Where shares come from: `shares of 46 samples, 20:31–20:40 UTC`. */
export function saySamples({ count, from, until }: NonNullable<Habits["samples"]>): string {
  const span = from === until ? secondsText(from) : spanText({ from, until });
  return `shares of ${counted(count, "sample")}, ${span} UTC`;
}

/** Tool that most of its requests name, and the share of these requests. */
function toolShare(userAgents: Habits["userAgents"]) {
  const [name] = userAgents.flatMap(({ tool }) => tool ?? []);
  if (name === undefined) return undefined;
  const named = userAgents.filter(({ tool }) => tool === name);
  return { name, share: named.reduce((sum, one) => sum + one.share, 0) };
}
