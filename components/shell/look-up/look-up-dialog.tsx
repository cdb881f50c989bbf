"use client";

import { ArrowRight, Plus, Search, Users } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix, VisuallyHidden } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Modal } from "@/components/ui/dialog.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { type Tone, toneText } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { may } from "@/lib/manage/users/roles.ts";
import type { LookUpOption } from "./look-up-options.ts";
import { useLookUp } from "./use-look-up.ts";

interface LookUpDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Finds an address, a range, a customer or a page. Needs only the keyboard. */
export function LookUpDialog({ isOpen, onClose }: LookUpDialogProps) {
  return (
    <Modal
      isOpen={isOpen}
      onClose={onClose}
      aria-describedby={undefined}
      className="fixed top-3 left-1/2 z-50 flex max-h-[calc(100dvh-24px)] w-[calc(100vw-24px)] max-w-150 -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-bar bg-surface shadow-e2 sm:top-[12vh] sm:max-h-[70vh]"
    >
      <VisuallyHidden.Root>
        <Radix.Title>Look up</Radix.Title>
      </VisuallyHidden.Root>
      <Palette onClose={onClose} />
    </Modal>
  );
}

function Palette({ onClose }: Pick<LookUpDialogProps, "onClose">) {
  const router = useRouter();
  const { known } = useStanding();
  const mayCreate = known !== undefined && may(known.you.role, "customers");
  const listId = useId();
  const [text, setText] = useState("");
  const choose = ({ leadsTo }: LookUpOption) => {
    if ("text" in leadsTo) return setText(leadsTo.text);
    onClose();
    router.push(leadsTo.href);
  };
  const { options, active, setActive, says, isAsking, onKeyDown } = useLookUp({ text, mayCreate, choose });
  const current = options[active];
  return (
    <>
      <div className="flex items-center gap-2 border-b border-border px-3.5 text-text-3">
        {isAsking ? <Spinner /> : <Search />}
        <input
          type="text"
          role="combobox"
          aria-label="Look up an IP, a range, a customer or a page"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={current && `${listId} ${current.id}`.replaceAll(" ", "-")}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={4_096}
          placeholder="An IP, a range, a customer or a page"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-11 min-w-0 flex-1 bg-transparent text-body text-text outline-none focus-visible:shadow-none"
        />
      </div>
      <LookUpList {...{ listId, options, active, setActive, choose }} />
      <p role="status" className="px-3.5 py-2.5 text-cell text-text-2 empty:hidden">
        {says}
      </p>
    </>
  );
}

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
function LookUpList({ listId, options, active, setActive, choose }: LookUpListProps) {
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
