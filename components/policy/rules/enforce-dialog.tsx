"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert, UserRound } from "lucide-react";
import { type ReactNode, useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { DialogActions } from "@/components/ui/dialog-actions.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { type ShadowReply, shadow } from "@/lib/queries/shadow.ts";
import type { FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { effectOf, enforceLabel, gapsOf, nameCustomers, pastOf, saySaw, shadowOf } from "./enforce-words.ts";

interface EnforceDialogProps {
  editor: PolicyEditor;
  rule: FormRule;
  name: string;
  onClose: () => void;
  onConfirm: () => void;
}

const askEveryMs = 10_000;

/** Asks before a rule goes from shadow to enforce, and shows the clients that shadow would have hit. Customers are first. */
export function EnforceDialog({ editor, rule, name, onClose, onConfirm }: EnforceDialogProps) {
  const [isAccepted, setIsAccepted] = useState(false);
  const counts = shadowOf(editor.draft, rule);
  const effect = effectOf(rule);
  const read = useQuery({
    ...shadow(name),
    enabled: counts !== "none",
    refetchInterval: askEveryMs,
    networkMode: "always",
    retry: false,
  });
  const reply = counts === "none" ? undefined : read.data;
  const customers = reply?.customers ?? [];
  return (
    <Dialog
      isOpen
      isAlert
      onClose={onClose}
      width={counts === "none" ? 480 : 680}
      title={
        <>
          Enforce <Untrusted text={name} max={64} className="font-mono" />
        </>
      }
      description={sayCounts(counts)}
      footer={
        <DialogActions
          onCancel={onClose}
          disabledReason={
            counts !== "none" && !reply && !read.error
              ? "The clients are still loading"
              : customers.length > 0 && !isAccepted
                ? `First confirm that ${nameCustomers(customers)} would be ${pastOf[effect]}`
                : undefined
          }
          onClick={onConfirm}
        >
          {enforceLabel(counts === "same" ? reply : undefined, effect)}
        </DialogActions>
      }
    >
      {counts !== "none" && (
        <ReadState
          read={read}
          name="the clients"
          skeleton={<RowsSkeleton rows={3} columns={[3, 2, 1]} />}
          isCompact
        >
          {(shown) => (
            <Saw reply={shown} effect={effect}>
              {shown.customers.length > 0 && (
                <Checkbox
                  checked={isAccepted}
                  onChange={setIsAccepted}
                  label={`Also ${effect} ${nameCustomers(shown.customers)}`}
                />
              )}
            </Saw>
          )}
        </ReadState>
      )}
    </Dialog>
  );
}

interface SawProps {
  reply: ShadowReply;
  effect: ReturnType<typeof effectOf>;
  children: ReactNode;
}

function sayCounts(counts: ReturnType<typeof shadowOf>): string {
  if (counts === "none")
    return "This rule has not run in shadow under this name yet, so the clients that it would deny are unknown. Publish it in shadow first, then check again.";
  return counts === "same"
    ? "Once the draft is published, the rule denies for real."
    : "The draft changes what this rule counts or its limits. Shadow counted by the rule in force, so the effect will differ.";
}

function Saw({ reply, effect, children }: SawProps) {
  const { top, customers } = reply;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body text-text-2">{saySaw(reply)}</p>
      {customers.length > 0 && (
        <p className="flex items-center gap-2 rounded-control border border-blocked-bd bg-blocked-bg px-3 py-2 text-body text-text">
          <TriangleAlert className="size-4 shrink-0 text-blocked" />
          <span>
            <span className="font-semibold">
              {counted(customers.length, "customer")} would be {pastOf[effect]}.
            </span>
          </span>
        </p>
      )}
      {top.length > 0 && <HitClients top={top} />}
      {gapsOf(reply).map((sentence) => (
        <p key={sentence} className="text-cell text-throttled">
          {sentence}
        </p>
      ))}
      {children}
    </div>
  );
}

function HitClients({ top }: Pick<ShadowReply, "top">) {
  return (
    <TableFrame label="Clients that shadow would have hit" className="max-h-80 rounded-control!">
      <thead>
        <tr>
          <Th>Client</Th>
          <Th>Customer</Th>
          <Th isNumber>Would be denied</Th>
        </tr>
      </thead>
      <tbody>
        {top.map(({ client, kind, customerId, requests }) => (
          <Tr key={`${client} ${customerId ?? ""}`}>
            <Td className="font-mono">
              <ClientName client={client} kind={kind} />
            </Td>
            <Td>
              {customerId === undefined ? (
                <span className="text-text-3">not signed in</span>
              ) : (
                <Badge tone="plain" icon={<UserRound />}>
                  <Untrusted text={customerId} max={64} />
                </Badge>
              )}
            </Td>
            <Td isNumber className="text-shadow">
              {countText(requests)}
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

function ClientName({ client, kind }: Pick<ShadowReply["top"][number], "client" | "kind">) {
  const text = <Untrusted text={client} max={80} />;
  if (kind === "rule") return text;
  const folder = kind === "ip" ? "clients" : "customers";
  return <TextLink href={`/${folder}/${encodeURIComponent(client)}`}>{text}</TextLink>;
}
