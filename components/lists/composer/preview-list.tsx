import { WandSparkles } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { LinkChip } from "@/components/ui/chip.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { parseAddress } from "@/lib/ip/parse.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { rangeSize } from "../list-words.ts";
import { type Correction, type Group, groupsOf, type OwnedLine } from "./preview-groups.ts";
import type { LineKind } from "./typed-lines.ts";
import { SignIcon } from "./verdicts.tsx";

/** Loaded with the first conflict. */
const LastHour = dynamic(() => import("./last-hour.tsx").then((file) => file.LastHour), {
  loading: () => null,
});

interface PreviewListProps {
  readonly list: ListName;
  readonly preview: LinesPreview;
  /** Lines that the preview does not name. */
  readonly leftOut?: number;
  readonly onConfirm: (range: string) => void;
  /** Chooses an address of a customer. */
  readonly onChoose?: (address: string, isChosen: boolean) => void;
  readonly chosen?: readonly string[];
  /** What can be done where the lines can be edited. */
  readonly editing?: Editing;
}

interface Editing {
  readonly correct: (correction: Correction) => void;
  readonly applySuggestions: () => void;
  readonly show: (kind: LineKind) => void;
}

/** Number of wide ranges to confirm at a time. */
const mostAsked = 4;

/** Groups of the preview: the number in bold, with addresses and reasons below. */
export function PreviewList({ list, preview, leftOut = 0, ...acts }: PreviewListProps) {
  return (
    <ul className="flex flex-col">
      {groupsOf(list, preview, leftOut).map((group) => (
        <li
          key={group.title}
          className="flex gap-2.5 border-border py-2 not-last:border-b first:pt-0 last:pb-0"
        >
          <SignIcon sign={group.sign} className="pt-px" />
          <GroupText group={group} {...acts} />
        </li>
      ))}
    </ul>
  );
}

function GroupText({
  group,
  onConfirm,
  onChoose,
  chosen = [],
  editing,
}: { group: Group } & Omit<PreviewListProps, "list" | "preview" | "leftOut">) {
  const { title, details, more, link, ask = [], conflicts = [], owned = [] } = group;
  return (
    <div className="min-w-0 flex-1 text-cell text-text-2">
      <p className="text-body font-semibold text-text">{title}</p>
      {details.map((detail) => (
        <p key={detail}>
          <Untrusted text={detail} max={300} />
        </p>
      ))}
      {conflicts.map(({ address, says, asksRequests }) => (
        <div key={address} className="not-first:mt-1">
          <p>
            <Untrusted text={says} max={600} />
          </p>
          {asksRequests && <LastHour address={address} />}
        </div>
      ))}
      {owned.length > 0 && onChoose && (
        <ul className="mt-1.5 flex flex-col gap-1">
          {owned.map((line) => (
            <OwnedRow
              key={line.address}
              line={line}
              isChosen={chosen.includes(line.address)}
              onChoose={onChoose}
            />
          ))}
        </ul>
      )}
      {more > 0 && <p>{`and ${countText(more)} more`}</p>}
      {link && <TextLink href={link.href}>{link.text}</TextLink>}
      {editing && <GroupActions group={group} {...editing} />}
      {ask.length > 0 && (
        <div className="mt-2 flex flex-col gap-2">
          {ask.slice(0, mostAsked).map((range) => (
            <ConfirmRange key={range} range={range} onConfirm={onConfirm} />
          ))}
        </div>
      )}
    </div>
  );
}

interface OwnedRowProps {
  readonly line: OwnedLine;
  readonly isChosen: boolean;
  readonly onChoose: (address: string, isChosen: boolean) => void;
}

function OwnedRow({ line: { address, owners }, isChosen, onChoose }: OwnedRowProps) {
  return (
    <li className="flex min-h-6 flex-wrap items-center gap-2">
      <Checkbox
        label={`Also block ${address}`}
        isLabelHidden
        checked={isChosen}
        onChange={(next) => onChoose(address, next)}
      />
      <span className="font-mono text-text">{address}</span>
      {owners.slice(0, 2).map(({ customer }) => (
        <LinkChip
          key={customer}
          href={`/customers/${encodeURIComponent(customer)}`}
          label={`Customer ${customer}`}
        >
          {customer}
        </LinkChip>
      ))}
      {owners.length > 2 && <span>{`and ${countText(owners.length - 2)} more`}</span>}
      <span className="ml-auto tabular-nums">
        {countText(owners.reduce((sum, { requests }) => sum + requests, 0))}
      </span>
    </li>
  );
}

/** Number of suggestions that have a button each. */
const mostUsed = 3;

function GroupActions({ group, correct, applySuggestions, show }: { group: Group } & Editing) {
  const { corrections = [], kind } = group;
  if (kind === undefined) return null;
  return (
    <div className="mt-1.5 flex flex-wrap gap-1.5">
      {corrections.length > 1 && (
        <Button size="sm" icon={<WandSparkles />} onClick={applySuggestions}>
          {`Use all ${countText(corrections.length)} suggestions`}
        </Button>
      )}
      {corrections.length <= mostUsed &&
        corrections.map((correction) => (
          <Button key={correction.line} size="sm" onClick={() => correct(correction)} className="max-w-full">
            Use <span className="truncate font-mono">{correction.to.replaceAll("\n", ", ")}</span>
          </Button>
        ))}
      <Button size="sm" variant="ghost" onClick={() => show(kind)}>
        Show lines
      </Button>
    </div>
  );
}

/** Field in which a wide range is typed again to confirm it. */
function ConfirmRange({ range, onConfirm }: { range: string; onConfirm: (range: string) => void }) {
  const [typed, setTyped] = useState("");
  const type = (text: string) => {
    setTyped(text);
    const parsed = parseAddress(text);
    if (parsed.ok && parsed.value === range) onConfirm(range);
  };
  return (
    <Field label={`Type ${range} again`} hint={rangeSize(range)}>
      <Input isMono value={typed} onChange={(event) => type(event.target.value)} placeholder={range} />
    </Field>
  );
}
