import { CircleCheck, TriangleAlert } from "lucide-react";
import { Card } from "../../../../components/ui/card.tsx";
import { classes } from "../../../../components/ui/classes.ts";
import { countText } from "../../../../components/ui/count-text.ts";
import { TableFrame, Td, Th, Tr } from "../../../../components/ui/data-table.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { EdgeReply, EdgeSweep } from "../../../../lib/queries/edge.ts";

/** What sweeps have done lately; those that had nothing to do are left out. */
export function SweepsCard({ edge: { sweeps, last } }: { edge: EdgeReply }) {
  return (
    <Card
      title="Last sweeps"
      hint={
        last && (
          <>
            the last one <Timestamp at={last.at} />, in {countText(last.ms)} ms, by{" "}
            <Untrusted text={last.by} max={60} />
          </>
        )
      }
      isFlush
    >
      {sweeps.length === 0 ? (
        <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">No sweep has changed an edge yet.</p>
      ) : (
        <TableFrame label="Last sweeps" isInset>
          <Head />
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

function Head() {
  return (
    <thead>
      <tr>
        <Th>When</Th>
        <Th>Dictionary</Th>
        <Th isNumber className="max-sm:hidden">
          Took
        </Th>
        <Th isNumber className="max-sm:hidden">
          Calls
        </Th>
        <Th isNumber>Added</Th>
        <Th isNumber>Removed</Th>
        <Th isNumber className="max-sm:hidden">
          Changed by others
        </Th>
        <Th>Outcome</Th>
      </tr>
    </thead>
  );
}

function SweepRow({ sweep }: { sweep: EdgeSweep }) {
  const { at, dictionary, ms, calls, added, removed, drifted, trouble } = sweep;
  return (
    <Tr>
      <Td className="whitespace-nowrap text-text-2">
        <Timestamp at={at} />
      </Td>
      <Td isMono className="max-w-80 truncate text-text-2 max-sm:max-w-28">
        <Untrusted text={dictionary} max={60} />
      </Td>
      <Td isNumber className="whitespace-nowrap max-sm:hidden">
        {countText(ms)}
        <span className="text-text-3"> ms</span>
      </Td>
      <Count of={calls} isForWide />
      <Count of={added} />
      <Count of={removed} />
      <Td isNumber className={classes("max-sm:hidden", drifted > 0 ? "text-throttled" : "text-text-3")}>
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
    <Td isNumber className={classes(of === 0 && "text-text-3", isForWide && "max-sm:hidden")}>
      {countText(of)}
    </Td>
  );
}
