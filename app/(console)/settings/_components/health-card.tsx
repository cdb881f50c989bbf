"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { Spinner } from "../../../../components/ui/spinner.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { type DoctorReport, doctor, doctorAgain } from "../../../../lib/queries/doctor.ts";
import { FindingRow } from "./finding-row.tsx";
import { findingWords } from "./finding-words.ts";
import { inOrder, sayHealth } from "./health-words.ts";

const everyMs = 5_000;
const soonMs = 1_000;

/** What doctor finds, live. What reads much is looked at now and then, and when somebody asks. */
export function HealthCard() {
  const { data, error, dataUpdatedAt } = useQuery({
    ...doctor(),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data && state.data.looking.length > 0 ? soonMs : everyMs),
  });
  return (
    <Card
      title={<span id="health">Health</span>}
      hint={data && <span role="status">{sayHealth(data)}</span>}
      actions={<LookAgain />}
      isFlush
    >
      {error && (
        <div className="px-3.5 pb-3">
          <Banner tone="blocked" title={error.message}>
            {data ? (
              <>
                What is shown was found <Timestamp at={dataUpdatedAt} />.
              </>
            ) : (
              "It is asked again every five seconds."
            )}
          </Banner>
        </div>
      )}
      {data ? <Findings report={data} /> : !error && <Waiting />}
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
      Look at all again
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
          <Spinner label={`Looking: ${findingWords(check).title}`} />
        </li>
      ))}
    </ul>
  );
}

function Waiting() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 border-t border-border p-3.5">
      {["w-3/4", "w-1/2", "w-2/3", "w-3/5"].map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}
