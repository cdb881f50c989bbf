"use client";

import { ArrowRight, Plus, Search, Users } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes.ts";
import { type Tone, toneText } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { LookUpOption } from "./look-up-options.ts";

interface LookUpListProps {
  listId: string;
  options: readonly LookUpOption[];
  active: number;
  setActive: (index: number) => void;
  choose: (option: LookUpOption) => void;
}

const icons: Readonly<Record<Exclude<LookUpOption["tone"], Tone>, ReactNode>> = {
  page: <ArrowRight />,
  customer: <Users />,
  new: <Plus />,
  search: <Search />,
};

/** The focus stays in the text field above; keys move the selection. */
export function LookUpList({ listId, options, active, setActive, choose }: LookUpListProps) {
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Results"
      className="flex min-h-0 flex-col overflow-y-auto p-1.5 empty:hidden"
    >
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles keys and names the active option.
        <div
          key={option.id}
          id={`${listId} ${option.id}`.replaceAll(" ", "-")}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          ref={index === active ? bringIntoView : undefined}
          onPointerMove={() => index !== active && setActive(index)}
          onClick={() => choose(option)}
          className={classes(
            "flex min-h-9 items-center gap-2.5 rounded-control px-2 py-1.5 max-sm:min-h-11",
            index === active && "bg-raised",
          )}
        >
          <OptionIcon tone={option.tone} />
          <span className="min-w-0 flex-1">
            <Untrusted text={option.label} max={80} className="text-body" />
            {option.detail && (
              <span className="block truncate text-cell text-text-2">
                <Untrusted text={option.detail} max={120} />
              </span>
            )}
          </span>
          {option.note && <span className="shrink-0 text-meta text-text-2">{option.note}</span>}
        </div>
      ))}
    </div>
  );
}

function OptionIcon({ tone }: { tone: LookUpOption["tone"] }) {
  if (isTone(tone)) return <span className={classes("flex", toneText[tone])}>{toneIcon(tone)}</span>;
  return <span className="flex text-text-3">{icons[tone]}</span>;
}

function isTone(tone: LookUpOption["tone"]): tone is Tone {
  return tone in toneText;
}

function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
