"use client";

import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { FeedItem } from "@/lib/queries/feed.ts";
import type { DayNow } from "./use-day.ts";

/** Where it came from lately. An address may be shared with others: its counts are the address's own. */
export function AddressesCard({ told: { read } }: { told: DayNow }) {
  return (
    <Card
      title="Addresses"
      hint="seen recently; requests per address in the last hour, of all customers"
      isFlush
    >
      <ReadState
        read={read}
        name="the addresses"
        skeleton={<RowsSkeleton rows={3} columns={[4, 1, 1, 1]} />}
        empty={({ addresses }) => (addresses.length > 0 ? undefined : <NoAddresses />)}
        isInset
        isCompact
      >
        {({ addresses }) => (
          <TableFrame label="Addresses" isInset>
            <thead>
              <tr>
                <Th>Address</Th>
                <Th isNumber>Requests</Th>
                <Th isNumber>Denied</Th>
                <Th isNumber>Seen</Th>
              </tr>
            </thead>
            <tbody>
              {addresses.map(({ ip, requests, denied, lastAt }) => (
                <Tr key={ip}>
                  <Td isMono className="wrap-anywhere">
                    <TextLink href={`/clients/${encodeURIComponent(ip)}`} className="inline-block py-1">
                      {ip}
                    </TextLink>
                  </Td>
                  <Td isNumber>{countText(requests)}</Td>
                  <Td isNumber className={denied > 0 ? "font-semibold text-throttled" : "text-text-3"}>
                    {countText(denied)}
                  </Td>
                  <Td isNumber className="text-text-3">
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

function NoAddresses() {
  return (
    <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
      Nodes keep samples of the latest requests. None of them is of this customer.
    </p>
  );
}

/** Recent denials of the customer: rule, time and address. */
export function DenialsCard({ told: { read } }: { told: DayNow }) {
  const sampled = Math.max(1, ...(read.data?.denials.map(({ standsFor }) => standsFor) ?? []));
  return (
    <Card
      title="Recent denials"
      hint={sampled > 1 ? `about 1 in ${sampled} shown` : "from recent samples"}
      isFlush
    >
      <ReadState
        read={read}
        name="the denials"
        skeleton={<RowsSkeleton rows={3} columns={[1, 2, 2, 4, 2]} />}
        empty={({ denials }) => (denials.length > 0 ? undefined : <NoDenials />)}
        isInset
        isCompact
      >
        {({ denials }) => (
          <TableFrame label="Recent denials" isInset className="max-h-96">
            <thead>
              <tr>
                {["When", "Verdict", "Address", "Request", "Rule"].map((name) => (
                  <Th key={name}>{name}</Th>
                ))}
              </tr>
            </thead>
            <tbody>
              {denials.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </tbody>
          </TableFrame>
        )}
      </ReadState>
    </Card>
  );
}

function NoDenials() {
  return (
    <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
      No denied request of this customer among the latest samples.
    </p>
  );
}

function Row({ item: { at, outcome, rule, method, path, ip } }: { item: FeedItem }) {
  return (
    <Tr>
      <Td className="whitespace-nowrap text-text-3">
        <Timestamp at={at} />
      </Td>
      <Td>
        <VerdictBadge verdict={outcome} />
      </Td>
      <Td isMono className="whitespace-nowrap">
        <TextLink href={`/clients/${encodeURIComponent(ip)}`} className="inline-block py-1">
          {ip}
        </TextLink>
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
  );
}
