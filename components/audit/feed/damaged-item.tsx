import { TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { DamagedRow } from "@/lib/queries/audit.ts";
import { RowIcon } from "./row-icon.tsx";

/** A row of the log that is not as Sluice wrote it. */
export function DamagedItem({ row }: { row: DamagedRow }) {
  return (
    <li className="flex items-start gap-2.5 border-border bg-blocked-bg px-3.5 py-2 not-last:border-b">
      <RowIcon row={row} />
      <p className="min-w-0 flex-1 pt-1 text-cell text-text-2">
        Record <Untrusted text={row.id} max={40} className="font-mono" /> cannot be trusted:{" "}
        <Untrusted text={row.damage} />.
      </p>
      <Badge tone="blocked" icon={<TriangleAlert />}>
        Damaged
      </Badge>
    </li>
  );
}
