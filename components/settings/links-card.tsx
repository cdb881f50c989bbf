"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Result } from "@/lib/console/action.ts";
import { removeLink, setLink } from "@/lib/console/actions/notes.ts";
import { type LinkSubject, linkNameProblem, linkProblem, linkTo } from "@/lib/manage/links/link-template.ts";
import { type LinkRow, links } from "@/lib/queries/links.ts";

const everyMs = 30_000;

type Open = { readonly dialog: "set" } | { readonly dialog: "remove"; readonly link: LinkRow } | undefined;

/** Links from the pages of clients and customers to other systems. */
export function LinksCard({ mayChange, whoMay }: { mayChange: boolean; whoMay: string }) {
  const read = useQuery({ ...links(), refetchInterval: everyMs });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <Card
      title={<span id="links">Links to other systems</span>}
      hint="on the pages of clients and customers, and in the look-up"
      actions={
        mayChange && (
          <Button icon={<Plus />} onClick={() => setOpen({ dialog: "set" })}>
            Add a link
          </Button>
        )
      }
      isFlush
    >
      <ReadState
        read={read}
        name="the links"
        skeleton={<RowsSkeleton rows={2} columns={[2, 2, 5]} rowHeight={40} hasHead />}
        empty={(found) =>
          found.links.length > 0 ? undefined : (
            <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">
              No links yet. A link to your logs opens with the address of the client filled in.
            </p>
          )
        }
        isInset
        isCompact
      >
        {(found) => (
          <LinksTable
            links={found.links}
            {...(mayChange && { onRemove: (link: LinkRow) => setOpen({ dialog: "remove", link }) })}
          />
        )}
      </ReadState>
      {!mayChange && (
        <div className="flex flex-wrap items-center justify-between gap-2 px-3.5 py-2.5 text-cell text-text-3">
          <p>To change links, ask an {whoMay}.</p>
          <AskButton needs="links" kind="change" target="links to other systems" />
        </div>
      )}
      {open?.dialog === "set" && <SetLinkDialog onClose={close} />}
      {open?.dialog === "remove" && <RemoveLinkDialog link={open.link} onClose={close} />}
    </Card>
  );
}

interface LinksTableProps {
  links: readonly LinkRow[];
  /** Undefined for roles that may not. */
  onRemove?: (link: LinkRow) => void;
}

function LinksTable({ links, onRemove }: LinksTableProps) {
  return (
    <TableFrame label="Links to other systems" className="rounded-none border-x-0 border-b-0">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Of</Th>
          <Th>URL</Th>
          <Th isLabelHidden>Remove</Th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <Tr key={`${link.kind} ${link.name}`}>
            <Td>
              <Untrusted text={link.name} max={30} />
            </Td>
            <Td className="text-text-2">{link.kind}s</Td>
            <Td isMono className="py-1.5 wrap-anywhere text-text-2">
              <Untrusted text={link.template} max={500} />
            </Td>
            <Td className="w-11 text-center">
              {onRemove && (
                <IconButton
                  size="sm"
                  icon={<Trash2 />}
                  label={`Remove the link ${link.name} of ${link.kind}s`}
                  onClick={() => onRemove(link)}
                />
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

const examples: Readonly<Record<LinkSubject, { readonly hint: string; readonly id: string }>> = {
  client: { hint: "https://logs.example.org/?q={ip}", id: "203.0.113.77" },
  customer: { hint: "https://crm.example.org/{customer}", id: "acme" },
};

function SetLinkDialog({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<LinkSubject>("client");
  const [name, setName] = useState("");
  const [template, setTemplate] = useState("");
  const { change, isBusy, failure } = useLinkChange(onClose);
  const problem = linkNameProblem(name.trim()) ?? linkProblem(kind, template.trim());
  const submit = async () => {
    if (problem !== undefined) return;
    const link = { kind, name: name.trim(), template: template.trim() };
    await change(`Link ${link.name} set`, () => setLink(link));
  };
  return (
    <FormDialog
      title="Add a link"
      description="A link of the same name is replaced. Values are URL-encoded."
      submitLabel="Set link"
      onSubmit={submit}
      isReady={problem === undefined}
      {...{ isBusy, failure, onClose }}
    >
      <Segmented
        label="Of"
        value={kind}
        onChange={setKind}
        options={[
          { value: "client", label: "Clients" },
          { value: "customer", label: "Customers" },
        ]}
      />
      <Field label="Name" hint="such as Logs" error={failure?.fields.name}>
        <Input value={name} maxLength={30} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label="URL"
        hint={`such as ${examples[kind].hint}`}
        error={failure?.fields.template ?? (template === "" ? undefined : linkProblem(kind, template.trim()))}
      >
        <Input
          isMono
          spellCheck={false}
          autoComplete="off"
          value={template}
          maxLength={500}
          onChange={({ target }) => setTemplate(target.value)}
        />
      </Field>
      {linkProblem(kind, template.trim()) === undefined && (
        <p className="text-cell wrap-anywhere text-text-2">
          For {examples[kind].id}:{" "}
          <span className="font-mono">{linkTo(kind, template.trim(), examples[kind].id)}</span>
        </p>
      )}
    </FormDialog>
  );
}

function RemoveLinkDialog({ link, onClose }: { link: LinkRow; onClose: () => void }) {
  const { kind, name } = link;
  const { change, isBusy, failure } = useLinkChange(onClose);
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove the link ${name}?`}
      description={`It disappears from the pages of ${kind}s.`}
      confirmLabel={`Remove ${name}`}
      onConfirm={() => void change(`Link ${name} removed`, () => removeLink({ kind, name }))}
      isDanger
      isBusy={isBusy}
      error={failure?.message}
    />
  );
}

/** Runs a change of the links. Once it is made, reports it and closes the dialog. */
function useLinkChange(onClose: () => void) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const change = async (title: string, call: () => Promise<Result<object>>) => {
    if (!(await run(call))) return;
    toast({ tone: "plain", title });
    onClose();
    await client.invalidateQueries({ queryKey: links().queryKey });
  };
  return { change, isBusy, failure };
}
