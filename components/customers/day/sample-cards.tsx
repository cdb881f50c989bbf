"use client";

import dynamic from "next/dynamic";
import { AddressLink } from "@/components/console/address-link.tsx";
import { HabitsCard } from "@/components/console/habits-card.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { countText, durationText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { AddressesRead } from "../addresses/denied-banner.tsx";
import { sayNoSample, sumOf } from "./usage-bars.ts";
import type { DayNow } from "./usage-card.tsx";

/** At the end of the page, and loaded after it. */
const SampleTable = dynamic(
  () => import("@/components/console/sample-table.tsx").then((file) => file.SampleTable),
  { ssr: false, loading: () => <RowsSkeleton rows={3} columns={[1, 2, 2, 4, 2]} /> },
);
const HabitShares = dynamic(
  () => import("@/components/console/habit-shares.tsx").then((file) => file.HabitShares),
  { ssr: false, loading: () => <Skeleton className="h-40 w-full" /> },
);

/** Addresses from which the customer sent requests, and what denies them there. */
export function AddressesCard({ read }: { read: AddressesRead }) {
  return (
    <Card title="Addresses" hint="of signed-in requests; the latest first" isFlush>
      <ReadState
        read={read}
        name="the addresses"
        skeleton={<RowsSkeleton rows={3} columns={[4, 1, 2, 1]} />}
        unknown={({ knownSince, total }) =>
          total === 0 && knownSince === null ? (
            <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
              Addresses unknown: a node does not report customers.
            </p>
          ) : undefined
        }
        empty={({ total, asOf, knownSince }) =>
          total === 0 && knownSince !== null ? (
            <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
              No request of this customer in the last {durationText(Math.max(1_000, asOf - knownSince))}.
            </p>
          ) : undefined
        }
        isInset
        isCompact
      >
        {(found) => (
          <TableFrame label="Addresses" isInset>
            <thead>
              <tr>
                <Th>Address</Th>
                <Th isNumber>Requests, 1 h</Th>
                <Th>Next request</Th>
                <Th isNumber className="max-sm:hidden">
                  Seen
                </Th>
              </tr>
            </thead>
            <tbody>
              {found.addresses.map(({ address, requests, outcome, lastAt }) => (
                <Tr key={address}>
                  <Td isMono className="min-w-30 wrap-anywhere">
                    <AddressLink address={address} />
                  </Td>
                  <Td isNumber>{countText(requests)}</Td>
                  <Td>
                    <VerdictBadge verdict={outcome}>{nextWords[outcome]}</VerdictBadge>
                  </Td>
                  <Td isNumber className="text-text-3 max-sm:hidden">
                    <Timestamp at={lastAt} />
                  </Td>
                </Tr>
              ))}
            </tbody>
          </TableFrame>
        )}
      </ReadState>
    </Card>
  );
}

const nextWords = {
  pass: "Passes",
  safelisted: "Safelisted",
  blocked: "Blocked",
  throttled: "Throttled",
} as const;

/** Recent denials of the customer: rule, time and address. */
export function DenialsCard({ told }: { told: DayNow }) {
  return (
    <Card title="Recent denials" hint="samples of the last 24 h, newest first" isFlush>
      <ReadState
        read={told.read}
        name="the denials"
        skeleton={<RowsSkeleton rows={3} columns={[1, 2, 2, 4, 2]} />}
        empty={(day) =>
          day.denials.length > 0 ? undefined : (
            <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
              {sayNoSample(sumOf(day.denied), "denial")}
            </p>
          )
        }
        isInset
        isCompact
      >
        {({ denials }) => (
          <SampleTable label="Recent denials" items={denials} by="address" className="max-h-96" />
        )}
      </ReadState>
    </Card>
  );
}

/** What the customer requests, as shares of its samples. */
export function RequestsCard({ told }: { told: DayNow }) {
  const { data } = told.read;
  return (
    <HabitsCard habits={data?.habits}>
      <ReadState
        read={told.read}
        name="the requests"
        skeleton={<Skeleton className="h-40 w-full" />}
        isInset
        isCompact
      >
        {({ habits, requests }) => (
          <HabitShares habits={habits} none={sayNoSample(sumOf(requests), "request")} />
        )}
      </ReadState>
    </HabitsCard>
  );
}
