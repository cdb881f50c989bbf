"use client";

import { useQuery } from "@tanstack/react-query";
import { Card } from "../../../../components/ui/card.tsx";
import { counted } from "../../../../components/ui/count-text.ts";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import { VerdictIcon } from "../../../../components/ui/verdicts.tsx";
import { entryHistory } from "../../../../lib/queries/history.ts";

/** When it was blocked or safelisted before, by whom, and why. */
export function HistoryCard({ client }: { client: string }) {
  const blocked = useQuery(entryHistory({ list: "blocklist", address: client }));
  const safe = useQuery(entryHistory({ list: "safelist", address: client }));
  const records = [...(blocked.data?.records ?? []), ...(safe.data?.records ?? [])].toSorted(
    (a, b) => b.n - a.n,
  );
  const times = (blocked.data?.listedBefore ?? 0) + (safe.data?.listedBefore ?? 0);
  return (
    <Card title="History" hint={times > 0 ? `listed ${counted(times, "time")} before` : undefined}>
      {records.length === 0 ? (
        <p className="text-cell text-text-3">
          {blocked.isPending ? "Reading the audit log." : "It was never on a list."}
        </p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {records.slice(0, 12).map(({ n, at, actor, action, reason }) => (
            <li key={n} className="flex gap-2 text-cell">
              <VerdictIcon verdict={action.startsWith("safelist") ? "safelisted" : "blocked"} />
              <span className="min-w-0 flex-1">
                <span className="font-medium">{action}</span>{" "}
                <span className="text-text-2">
                  by <Untrusted text={actor} max={60} />
                </span>
                {reason && (
                  <span className="block text-text-3">
                    <Untrusted text={reason} max={160} />
                  </span>
                )}
              </span>
              <span className="shrink-0 text-text-3">
                <Timestamp at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
