"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { Result } from "@/lib/console/action.ts";
import { addNote, removeNote, setTicket } from "@/lib/console/actions/notes.ts";
import { type NotesOf, type NotesReply, notes } from "@/lib/queries/notes.ts";
import { ExternalLink } from "./links-out.tsx";
import { ReadState } from "./read-state.tsx";
import { useMutate } from "./use-mutate.ts";

const everyMs = 15_000;
const longestNote = 500;
const longestTicket = 200;

interface NotesCardProps extends NotesOf {
  mayWrite: boolean;
}

/** The ticket of a client or customer, and what people have noted about it. */
export function NotesCard({ kind, id, mayWrite }: NotesCardProps) {
  const about = { kind, id };
  const read = useQuery({ ...notes(about), refetchInterval: everyMs });
  return (
    <Card title={<span id="notes">Notes</span>}>
      <ReadState read={read} name="the notes" skeleton={<Skeleton className="h-10 w-full" />} isCompact>
        {(found) => (
          <div className="flex flex-col gap-3">
            <Ticket about={about} ticket={found.ticket} mayWrite={mayWrite} />
            {found.notes.length === 0 && <p className="text-cell text-text-3">No notes.</p>}
            <NoteList about={about} notes={found.notes} mayWrite={mayWrite} />
          </div>
        )}
      </ReadState>
      {mayWrite && <NewNote about={about} />}
    </Card>
  );
}

interface TicketProps {
  about: NotesOf;
  ticket: NotesReply["ticket"];
  mayWrite: boolean;
}

function Ticket({ about, ticket, mayWrite }: TicketProps) {
  /** Undefined while it is not edited. */
  const [text, setText] = useState<string>();
  const { change, isBusy, failure } = useNoteChange(about);
  if (text === undefined) {
    return (
      <p className="flex min-h-6 flex-wrap items-center gap-2 text-cell">
        <span className="text-text-3">Ticket</span>
        {ticket ? <TicketText text={ticket.text} /> : <span className="text-text-3">none</span>}
        {mayWrite && (
          <Button size="sm" variant="ghost" onClick={() => setText(ticket?.text ?? "")}>
            {ticket ? "Change ticket" : "Set ticket"}
          </Button>
        )}
      </p>
    );
  }
  const save = async () => {
    const title = text.trim() === "" ? "Ticket removed" : "Ticket set";
    if (await change(title, () => setTicket({ ...about, text }))) setText(undefined);
  };
  return (
    <Field label="Ticket" hint="a number or a link; empty removes it" error={failure}>
      <span className="flex gap-2">
        <Input
          value={text}
          maxLength={longestTicket}
          autoFocus
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") void save();
          }}
          className="flex-1"
        />
        <Button isBusy={isBusy} onClick={() => void save()}>
          Save ticket
        </Button>
        <Button variant="ghost" onClick={() => setText(undefined)}>
          Cancel
        </Button>
      </span>
    </Field>
  );
}

function TicketText({ text }: { text: string }) {
  return /^https:\/\/\S+$/.test(text) && URL.canParse(text) ? (
    <ExternalLink href={text} text={text} />
  ) : (
    <Untrusted text={text} max={longestTicket} className="font-medium" />
  );
}

interface NoteListProps extends Pick<NotesReply, "notes"> {
  about: NotesOf;
  mayWrite: boolean;
}

function NoteList({ about, notes, mayWrite }: NoteListProps) {
  const [removed, setRemoved] = useState<NotesReply["notes"][number]>();
  const { change, isBusy, failure } = useNoteChange(about);
  const remove = async () => {
    if (!removed) return;
    const { place, at } = removed;
    if (await change("Note removed", () => removeNote({ ...about, place, written: at })))
      setRemoved(undefined);
  };
  return (
    <>
      <ul aria-label="Notes" className="flex flex-col gap-2.5 empty:hidden">
        {notes.map((note) => (
          <li key={`${note.place} ${note.at}`} className="flex items-start gap-2 text-cell">
            <span className="min-w-0 flex-1">
              <span className="block whitespace-pre-line text-text">
                <Untrusted text={note.text} max={longestNote} />
              </span>
              <span className="text-text-3">
                <Untrusted text={note.by === "" ? "unknown" : note.by} max={80} />, <Timestamp at={note.at} />
              </span>
            </span>
            {mayWrite && (
              <IconButton
                size="sm"
                icon={<Trash2 />}
                label={`Remove the note “${note.text.slice(0, 40)}”`}
                onClick={() => setRemoved(note)}
              />
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title="Remove this note?"
        description="The audit log keeps it."
        confirmLabel="Remove note"
        onConfirm={() => void remove()}
        isDanger
        isBusy={isBusy}
        error={failure}
      >
        <p className="text-cell whitespace-pre-line text-text-2">
          <Untrusted text={removed?.text ?? ""} max={longestNote} />
        </p>
      </ConfirmDialog>
    </>
  );
}

function NewNote({ about }: { about: NotesOf }) {
  const [text, setText] = useState("");
  const { change, isBusy, failure } = useNoteChange(about);
  const add = async () => {
    if (await change("Note added", () => addNote({ ...about, text }))) setText("");
  };
  return (
    <div className="mt-3 flex flex-col items-start gap-2">
      <Field
        label="New note"
        hint={`everyone here can read it; at most ${longestNote} characters`}
        error={failure}
        className="w-full"
      >
        <Textarea
          value={text}
          rows={2}
          maxLength={longestNote}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button isBusy={isBusy} disabled={text.trim() === ""} onClick={() => void add()}>
        Add note
      </Button>
    </div>
  );
}

/** Makes a change of the notes. True once it is made. */
function useNoteChange(about: NotesOf) {
  const { run, isBusy, failure } = useMutate();
  const toast = useToast();
  const client = useQueryClient();
  const change = async (title: string, call: () => Promise<Result<object>>): Promise<boolean> => {
    const done = await run(call);
    await client.invalidateQueries({ queryKey: notes(about).queryKey });
    if (done) toast({ tone: "plain", title });
    return done !== undefined;
  };
  return { change, isBusy, failure: failure?.message };
}
