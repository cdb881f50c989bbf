"use client";

import { LinkChip, NoteChip } from "@/components/ui/chip.tsx";
import { sayNoOwner } from "./owner-words.ts";
import { useOwners } from "./use-owners.ts";

interface AddressOwnerProps {
  address: string;
  /** Also says that there is no customer, or that it is unknown. */
  isFull?: boolean;
}

const mostShown = 2;

/** Customers that use an address or range, each a link. */
export function AddressOwner({ address, isFull = false }: AddressOwnerProps) {
  const { data, isError } = useOwners(address);
  if (!data || data.owners.length === 0) {
    if (!isFull || (!data && !isError)) return null;
    const isKnown = data !== undefined && data.knownSince !== null;
    return (
      <NoteChip title={data ? sayNoOwner(data) : "Customers failed to load"}>
        {isKnown ? "no customer" : "customer unknown"}
      </NoteChip>
    );
  }
  const more = data.owners.length - mostShown;
  return (
    <span className="inline-flex min-w-0 flex-wrap items-center gap-1 font-sans">
      {data.owners.slice(0, mostShown).map(({ customer }) => (
        <LinkChip
          key={customer}
          href={`/customers/${encodeURIComponent(customer)}`}
          label={`Customer ${customer}`}
        >
          {customer}
        </LinkChip>
      ))}
      {more > 0 && (
        <NoteChip title={`${more} more customers`}>{`+${more}${data.isAll ? "" : " or more"}`}</NoteChip>
      )}
    </span>
  );
}
