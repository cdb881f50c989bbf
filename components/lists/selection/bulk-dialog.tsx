import { useState } from "react";
import { forHowLong } from "@/components/console/time-words.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { parseTags } from "@/lib/manage/lists/tags.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { TagsField } from "../tags/tags-field.tsx";
import { countOf, mostUntyped, type Selection } from "./selection.ts";

export interface TypedTags {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Change of all selected entries. */
export type BulkChange =
  | { readonly kind: "remove" }
  | { readonly kind: "extend"; readonly forMs: number | null }
  | { readonly kind: "tag"; readonly tags: TypedTags };

/** The same before it is complete: tags are typed in the dialog. */
export type AskedChange = Exclude<BulkChange, { kind: "tag" }> | { readonly kind: "tag" };

interface BulkDialogProps {
  readonly list: ListName;
  readonly asked: AskedChange;
  readonly of: Selection;
  readonly onClose: () => void;
  readonly onConfirm: (change: BulkChange, reason: string) => void;
}

/** Shows the number of entries and the effect before the change. */
export function BulkDialog({ list, asked, of, onClose, onConfirm }: BulkDialogProps) {
  const count = countOf(of);
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const [texts, setTexts] = useState<TagTexts>({ add: tagsOfOne(of)?.join(" ") ?? "", remove: "" });
  const isTyped = count <= mostUntyped || typed.replaceAll(/[,.\s]/g, "") === String(count);
  const change = completed(asked, of, texts);
  const confirm = () => {
    if (!change) return;
    onClose();
    onConfirm(change, reason);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      isDanger={asked.kind === "remove"}
      title={titleOf(list, of, asked)}
      description={consequence(list, asked)}
      confirmLabel={labelOf(asked, count)}
      isDisabled={!isTyped || !change}
      onConfirm={confirm}
    >
      <div className="flex flex-col gap-3">
        {asked.kind === "tag" && <TagFields of={of} texts={texts} onChange={setTexts} />}
        <Field label="Reason" hint="shown in the audit log">
          <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
        </Field>
        {count > mostUntyped && (
          <Field label={`Type ${countText(count)} to confirm`}>
            <Input inputMode="numeric" value={typed} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        )}
      </div>
    </ConfirmDialog>
  );
}

interface TagTexts {
  readonly add: string;
  readonly remove: string;
}

interface TagFieldsProps {
  readonly of: Selection;
  readonly texts: TagTexts;
  readonly onChange: (texts: TagTexts) => void;
}

/** The tags of one entry, or what to add to several and remove from them. */
function TagFields({ of, texts, onChange }: TagFieldsProps) {
  const add = (text: string) => onChange({ ...texts, add: text });
  if (tagsOfOne(of)) return <TagsField hint="with a space between" text={texts.add} onChange={add} />;
  const present =
    of.kind === "rows" ? [...new Set([...of.entries.values()].flatMap(({ tags = [] }) => tags))] : [];
  return (
    <>
      <TagsField label="Add tags" hint="with a space between" text={texts.add} onChange={add} />
      <TagsField
        label="Remove tags"
        {...(present.length > 0 && { hint: `now: ${present.sort().slice(0, 20).join(" ")}` })}
        text={texts.remove}
        onChange={(text) => onChange({ ...texts, remove: text })}
      />
    </>
  );
}

/** Undefined unless exactly one entry is selected. */
function tagsOfOne(of: Selection): readonly string[] | undefined {
  const [only, another] = of.kind === "rows" ? of.entries.values() : [];
  return only && !another ? (only.tags ?? []) : undefined;
}

/** Undefined while the change is not complete. */
function completed(asked: AskedChange, of: Selection, texts: TagTexts): BulkChange | undefined {
  if (asked.kind !== "tag") return asked;
  const [add, remove] = [parseTags(texts.add), parseTags(texts.remove)];
  if (!add.ok || !remove.ok) return undefined;
  const present = tagsOfOne(of);
  const tags = present ? differenceOf(present, add.value) : { add: add.value, remove: remove.value };
  return tags.add.length + tags.remove.length === 0 ? undefined : { kind: "tag", tags };
}

/** A tag that another user adds at the same time stays. */
function differenceOf(before: readonly string[], after: readonly string[]): TypedTags {
  return {
    add: after.filter((tag) => !before.includes(tag)),
    remove: before.filter((tag) => !after.includes(tag)),
  };
}

function labelOf({ kind }: AskedChange, count: number): string {
  if (kind === "tag") return count === 1 ? "Save tags" : `Tag ${countText(count)}`;
  return `${kind === "extend" ? "Extend" : "Remove"} ${countText(count)}`;
}

function titleOf(list: ListName, of: Selection, asked: AskedChange): string {
  const what = counted(countOf(of), "entry", "entries");
  if (asked.kind === "remove") return `Remove ${what} from the ${list}?`;
  if (asked.kind === "tag") return `Tags of ${nameOf(of) ?? what}`;
  return asked.forMs === null
    ? `Set ${what} to never expire?`
    : `Extend ${what} ${forHowLong(asked.forMs).replace("for", "by")}?`;
}

function nameOf(of: Selection): string | undefined {
  const [only, another] = of.kind === "rows" ? of.entries.keys() : [];
  return another === undefined ? only : undefined;
}

function consequence(list: ListName, { kind }: AskedChange): string {
  const undo = "You can undo this, also later from the audit log.";
  if (kind === "tag") return `Tags change nothing for clients. ${undo}`;
  if (kind === "extend") return `Adds this to the remaining time of each entry. ${undo}`;
  return list === "blocklist"
    ? `These clients will no longer get 403. ${undo}`
    : `These clients can be throttled and blocked again. ${undo}`;
}
