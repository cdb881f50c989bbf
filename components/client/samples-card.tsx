import { SampleTable } from "@/components/console/sample-table.tsx";
import { Card } from "@/components/ui/card.tsx";
import type { ClientReply } from "@/lib/queries/client.ts";

/** Sample requests of the client: denials first. */
export function SamplesCard({ samples }: { samples: NonNullable<ClientReply["samples"]> }) {
  return (
    <Card title="Sample requests" hint="denials first" isFlush>
      <SampleTable label="Sample requests" items={samples.latest} by="app" className="max-h-80" />
    </Card>
  );
}
