"use client";

import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { countText } from "@/components/ui/value-text.ts";
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
