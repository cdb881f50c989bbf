import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { parseAddress } from "@/lib/ip/parse.ts";
import { rangeSize } from "../list-words.ts";
import type { Correction, Group } from "./preview-groups.ts";
import { SignIcon } from "./verdicts.tsx";

interface PreviewListProps {
  readonly groups: readonly Group[];
  readonly onConfirm: (range: string) => void;
  /** Applies a suggestion, where the lines can be edited. */
  readonly onCorrect?: (correction: Correction) => void;
}

/** Number of wide ranges to confirm at a time. */
const mostAsked = 4;

/** Groups of the preview: the number in bold, with addresses and reasons below. */
export function PreviewList({ groups, ...acts }: PreviewListProps) {
  return (
    <ul className="flex flex-col">
      {groups.map((group) => (
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

function GroupText({ group, onConfirm, onCorrect }: { group: Group } & Omit<PreviewListProps, "groups">) {
  const { title, details, more, link, ask = [], corrections = [] } = group;
  return (
    <div className="min-w-0 flex-1 text-cell text-text-2">
      <p className="text-body font-semibold text-text">{title}</p>
      {details.map((detail) => (
        <p key={detail}>
          <Untrusted text={detail} max={300} />
        </p>
      ))}
      {more > 0 && <p>{`and ${countText(more)} more`}</p>}
      {link && <TextLink href={link.href}>{link.text}</TextLink>}
      {onCorrect && corrections.length > 0 && (
        <div className="mt-1.5 flex flex-wrap gap-1.5">
          {corrections.map((correction) => (
            <Button key={correction.line} size="sm" onClick={() => onCorrect(correction)}>
              Use <span className="font-mono">{correction.to}</span>
            </Button>
          ))}
        </div>
      )}
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
