"use client";

import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { everything, writeAuditUrl } from "../filters/audit-url.ts";

const longest = 80;

/** Leads to all that happened to an address or a customer. */
export function TargetLink({ target, isMono }: { target: string; isMono: boolean }) {
  return (
    <TextLink
      href={`/audit${writeAuditUrl({ ...everything, target: target.slice(0, 200) })}`}
      className={isMono ? "font-mono text-text" : "text-text"}
    >
      <Untrusted text={target} max={longest} />
    </TextLink>
  );
}
