import { CircleCheck, TriangleAlert } from "lucide-react";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, tookText } from "@/components/ui/value-text.ts";
import type { EdgeReply, EdgeSweep } from "@/lib/queries/edge.ts";

/** Latest passes of the sync that changed something or failed. */
export function SweepsCard({ edge: { sweeps, last } }: { edge: EdgeReply }) {
  return (
    <Card
      title="Latest syncs"
      hint={
        last && (
          <>
            the latest <Timestamp at={last.at} />, in {tookText(last.ms)}, by{" "}
            <Untrusted text={last.by} max={60} />
          </>
        )
      }
      isFlush
    >
      {sweeps.length === 0 ? (
        <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">No sync has changed an edge yet.</p>
      ) : (
        <TableFrame label="Latest syncs" isInset>
          <thead>
            <tr>
              <Th>When</Th>
              <Th className="max-sm:hidden">Dictionary</Th>
              <Th isNumber className="max-lg:hidden">
                Took
              </Th>
              <Th isNumber className="max-lg:hidden">
                Calls
              </Th>
              <Th isNumber>Added</Th>
              <Th isNumber>Removed</Th>
              <Th isNumber className="max-lg:hidden">
                Changed by others
              </Th>
              <Th>Outcome</Th>
            </tr>
          </thead>
          <tbody>
            {sweeps.map((sweep) => (
              <SweepRow key={`${sweep.at} ${sweep.dictionary}`} sweep={sweep} />
            ))}
          </tbody>
        </TableFrame>
      )}
    </Card>
  );
}

function SweepRow({ sweep }: { sweep: EdgeSweep }) {
  const { at, dictionary, ms, calls, added, removed, drifted, trouble } = sweep;
  return (
    <Tr>
      <Td className="whitespace-nowrap text-text-2">
        <Timestamp at={at} />
      </Td>
      <Td isMono className="max-w-80 truncate text-text-2 max-lg:max-w-40 max-sm:hidden">
        <Untrusted text={dictionary} max={60} />
      </Td>
      <Td isNumber className="whitespace-nowrap max-lg:hidden">
        {tookText(ms)}
      </Td>
      <Count of={calls} isForWide />
      <Count of={added} />
      <Count of={removed} />
      <Td isNumber className={classes("max-lg:hidden", drifted > 0 ? "text-throttled" : "text-text-3")}>
        {countText(drifted)}
      </Td>
      <Td className={trouble === null ? "" : "min-w-60"}>
        {trouble === null ? (
          <span className="inline-flex items-center gap-1.5 text-text-2">
            <CircleCheck className="text-pass" /> done
          </span>
        ) : (
          <span className="inline-flex items-center gap-1.5 text-blocked">
            <TriangleAlert /> <Untrusted text={trouble} max={160} />
          </span>
        )}
      </Td>
    </Tr>
  );
}

function Count({ of, isForWide = false }: { of: number; isForWide?: boolean }) {
  return (
    <Td isNumber className={classes(of === 0 && "text-text-3", isForWide && "max-lg:hidden")}>
      {countText(of)}
    </Td>
  );
}
