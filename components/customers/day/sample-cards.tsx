"use client";

import type { ReactNode } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { CustomerDay } from "@/lib/queries/customer-day.ts";
import type { DayNow } from "./usage-card.tsx";

/** Where it came from lately. An address may be shared with others: its counts are the address's own. */
export function AddressesCard({ told }: { told: DayNow }) {
  return (
    <SamplesCard
      told={told}
      of="addresses"
      title="Addresses"
      hint="seen recently; requests per address in the last hour, of all customers"
      columns={[4, 1, 1, 1]}
      none="Nodes keep samples of the latest requests. None of them is of this customer."
      head={
        <>
          <Th>Address</Th>
          <Th isNumber>Requests</Th>
          <Th isNumber>Denied</Th>
          <Th isNumber>Seen</Th>
        </>
      }
      row={({ ip, requests, denied, lastAt }) => (
        <Tr key={ip}>
          <Td isMono className="wrap-anywhere">
            <ClientLink ip={ip} />
          </Td>
          <Td isNumber>{countText(requests)}</Td>
          <Td isNumber className={denied > 0 ? "font-semibold text-throttled" : "text-text-3"}>
            {countText(denied)}
          </Td>
          <Td isNumber className="text-text-3">
            <Timestamp at={lastAt} />
          </Td>
        </Tr>
      )}
    />
  );
}

/** Recent denials of the customer: rule, time and address. */
export function DenialsCard({ told }: { told: DayNow }) {
  const sampled = Math.max(1, ...(told.read.data?.denials.map(({ standsFor }) => standsFor) ?? []));
  return (
    <SamplesCard
      told={told}
      of="denials"
      title="Recent denials"
      hint={sampled > 1 ? `about 1 in ${sampled} shown` : "from recent samples"}
      columns={[1, 2, 2, 4, 2]}
      none="No denied request of this customer among the latest samples."
      head={["When", "Verdict", "Address", "Request", "Rule"].map((name) => <Th key={name}>{name}</Th>)}
      className="max-h-96"
      row={({ id, at, outcome, rule, method, path, ip }) => (
        <Tr key={id}>
          <Td className="whitespace-nowrap text-text-3">
            <Timestamp at={at} />
          </Td>
          <Td>
            <VerdictBadge verdict={outcome} />
          </Td>
          <Td isMono className="whitespace-nowrap">
            <ClientLink ip={ip} />
          </Td>
          <Td isMono className="max-w-60 truncate">
            <span className="text-text-3">{method} </span>
            <Untrusted text={path} max={80} />
          </Td>
          <Td isMono className="max-w-40 truncate text-text-2">
            <span>
              <Untrusted text={rule} max={40} />
            </span>
          </Td>
        </Tr>
      )}
    />
  );
}

interface SamplesCardProps<Of extends "addresses" | "denials"> {
  told: DayNow;
  of: Of;
  title: string;
  hint: string;
  /** Widths of the columns while loading. */
  columns: readonly number[];
  /** Shown without any row. */
  none: string;
  head: ReactNode;
  row: (item: CustomerDay[Of][number]) => ReactNode;
  className?: string;
}

function SamplesCard<Of extends "addresses" | "denials">(props: SamplesCardProps<Of>) {
  const { told, of, title, hint, columns, none, head, row, className } = props;
  return (
    <Card title={title} hint={hint} isFlush>
      <ReadState
        read={told.read}
        name={`the ${of}`}
        skeleton={<RowsSkeleton rows={3} columns={columns} />}
        empty={(day) =>
          day[of].length > 0 ? undefined : <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">{none}</p>
        }
        isInset
        isCompact
      >
        {(day) => (
          <TableFrame label={title} isInset className={className}>
            <thead>
              <tr>{head}</tr>
            </thead>
            <tbody>{day[of].map(row)}</tbody>
          </TableFrame>
        )}
      </ReadState>
    </Card>
  );
}

function ClientLink({ ip }: { ip: string }) {
  return (
    <TextLink href={`/clients/${encodeURIComponent(ip)}`} className="inline-block py-1">
      {ip}
    </TextLink>
  );
}
