"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { type DoctorReport, doctor, doctorAgain } from "@/lib/queries/doctor.ts";
import { FindingRow } from "./finding-row.tsx";
import { findingWords } from "./finding-words.ts";
import { inOrder, sayHealth } from "./health-words.ts";

const everyMs = 5_000;
const soonMs = 1_000;

/** What doctor finds, live. Expensive checks run at intervals, and on request. */
export function HealthCard() {
  const read = useQuery({
    ...doctor(),
    refetchInterval: ({ state }) => (state.data && state.data.looking.length > 0 ? soonMs : everyMs),
  });
  const { data } = read;
  return (
    <Card
      title={<span id="health">Health</span>}
      hint={data && <span role="status">{sayHealth(data)}</span>}
      actions={<LookAgain />}
      isFlush
    >
      <ReadState
        read={read}
        name="the health checks"
        skeleton={<RowsSkeleton rows={6} columns={[1, 8, 2]} rowHeight={48} />}
        isInset
      >
        {(report) => <Findings report={report} />}
      </ReadState>
    </Card>
  );
}

function LookAgain() {
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const look = async () => {
    setIsAsking(true);
    await client.fetchQuery({ ...doctorAgain(), staleTime: 0 }).catch(() => undefined);
    setIsAsking(false);
  };
  return (
    <Button size="sm" icon={<RefreshCw />} isBusy={isAsking} onClick={look}>
      Run all checks
    </Button>
  );
}

function Findings({ report }: { report: DoctorReport }) {
  const waiting = report.looking.filter(
    (check) => !report.findings.some((finding) => finding.check === check),
  );
  return (
    <ul className="border-t border-border">
      {inOrder(report.findings).map((finding) => (
        <FindingRow key={`${finding.check} ${finding.says}`} finding={finding} />
      ))}
      {waiting.map((check) => (
        <li key={check} className="border-b border-border px-3.5 py-2.5 text-cell last:border-b-0">
          <Spinner label={`Checking: ${findingWords(check).title}`} />
        </li>
      ))}
      {!report.hasAll && (
        <li className="px-3.5 py-2.5 text-cell text-text-3">
          Admins also see checks of secrets, passwords and connections.
        </li>
      )}
    </ul>
  );
}
