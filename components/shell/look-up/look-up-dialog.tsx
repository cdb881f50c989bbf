"use client";

import { Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog as Radix, VisuallyHidden } from "radix-ui";
import { useId, useState } from "react";
import { useStanding } from "@/components/console/status.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { may } from "@/lib/manage/users/roles.ts";
import { LookUpList } from "./look-up-list.tsx";
import type { LookUpOption } from "./look-up-options.ts";
import { useLookUp } from "./use-look-up.ts";

interface LookUpDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Finds an address, a range, a customer or a page. Needs only the keyboard. */
export function LookUpDialog({ isOpen, onClose }: LookUpDialogProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-appear bg-[rgb(0_0_0/50%)]" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed top-3 left-1/2 z-50 flex max-h-[calc(100dvh-24px)] w-[calc(100vw-24px)] max-w-150 -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-bar bg-surface shadow-e2 sm:top-[12vh] sm:max-h-[70vh]"
        >
          <VisuallyHidden.Root>
            <Radix.Title>Look up</Radix.Title>
          </VisuallyHidden.Root>
          <Palette onClose={onClose} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
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
