"use client";

import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { EntryDialog } from "@/components/client/entry-dialog.tsx";
import type { EntryCommand } from "@/components/console/entry-command.ts";
import { useStanding } from "@/components/console/status.tsx";
import { type BlockCommand, useBlock } from "@/components/console/use-block.ts";
import { focusHeading, focusNextHeading } from "@/components/ui/heading-focus.ts";
import { may } from "@/lib/manage/users/roles.ts";
import type { LookUpOption } from "./look-up-options.ts";

/** Where a chosen option leads once the palette is closed. */
export type Destination = Exclude<
  LookUpOption["leadsTo"],
  { readonly text: string } | { readonly url: string }
>;

interface Leading {
  /** Opens the page or runs the command. */
  follow(to: Destination): void;
  /** Handles the focus after the palette is closed. */
  onClosed(event: Event): void;
  /** Dialog of the command. */
  readonly dialog: ReactNode;
}

/** Opens pages with the focus on their heading. After a command, the focus returns to where it was. */
export function useLeading(): Leading {
  const router = useRouter();
  const path = usePathname();
  const block = useBlock();
  const { known } = useStanding();
  const [command, setCommand] = useState<EntryCommand>();
  const chosen = useRef<Destination>(undefined);
  const mayForever = known !== undefined && may(known.you.role, "lists-forever");
  const isHere = (href: string) => new URL(href, window.location.href).pathname === path;
  const run = (wanted: EntryCommand | BlockCommand) => {
    if (wanted.kind === "block") void block(wanted);
    else setCommand(wanted);
  };
  return {
    follow(to) {
      chosen.current = to;
      if (!("href" in to)) return;
      if (!isHere(to.href)) focusNextHeading();
      router.push(to.href);
    },
    onClosed(event) {
      const to = chosen.current;
      chosen.current = undefined;
      if (to === undefined) return;
      // The dialog opens after the palette has returned the focus, so that it returns the focus to the same place.
      if ("command" in to) return void setTimeout(() => run(to.command));
      event.preventDefault();
      if (isHere(to.href)) focusHeading();
    },
    dialog: command && (
      <EntryDialog command={command} mayForever={mayForever} onClose={() => setCommand(undefined)} />
    ),
  };
}
