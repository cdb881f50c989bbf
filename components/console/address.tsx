import type { ReactNode } from "react";
import { AddressLink } from "./address-link.tsx";
import { AddressNetwork } from "./address-network.tsx";
import { AddressOwner } from "./address-owner.tsx";

interface AddressProps {
  /** An address or range. Other text, which another program may have written, has no link and no facts. */
  address: string;
  /** Number of shown characters. */
  max?: number | undefined;
  /** Of the link. */
  className?: string | undefined;
  /** False on the page of the address. */
  hasLink?: boolean;
  hasOwner?: boolean;
  hasNetwork?: boolean;
  networkClassName?: string | undefined;
  /** Also says that there is no customer, or that the customer or the network is unknown. */
  isFull?: boolean;
  /** Between the address and its customers. */
  children?: ReactNode;
}

/** An address or range: a link to its page, its customers, and its network. The parent sets the space between them. */
export function Address(props: AddressProps) {
  const { address, max, className, networkClassName, isFull = false, children } = props;
  const { hasLink = true, hasOwner = true, hasNetwork = true } = props;
  return (
    <>
      {hasLink && <AddressLink address={address} max={max} className={className} />}
      {children}
      {hasOwner && <AddressOwner address={address} isFull={isFull} />}
      {hasNetwork && <AddressNetwork address={address} isFull={isFull} className={networkClassName} />}
    </>
  );
}
