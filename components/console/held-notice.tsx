import { classes } from "@/components/ui/classes.ts";
import { counted } from "@/components/ui/value-text.ts";
import type { HeldRows } from "./held-rows.ts";
import type { Presence } from "./use-held-rows.ts";

interface HeldNoticeProps extends Pick<HeldRows<unknown>, "isBehind" | "newer"> {
  readonly presence: Presence;
  /** At the top, if something else floats at the bottom. */
  readonly isAtTop?: boolean;
}

/** States that rows are held, once that makes a difference. Takes no space, so that it moves no row. */
export function HeldNotice({ isBehind, newer, presence, isAtTop = false }: HeldNoticeProps) {
  return (
    <div
      role="status"
      className={classes(
        "pointer-events-none sticky z-15 flex h-0 justify-center",
        isAtTop ? "top-24 items-start max-sm:top-3" : "bottom-4 items-center max-sm:bottom-20",
      )}
    >
      {isBehind && (
        <p className="shrink-0 animate-appear rounded-full border border-border bg-overlay px-2.5 py-0.5 text-meta text-text-2 shadow-e1">
          {heldWords(presence)}
          {newer > 0 && (
            <span aria-live="off">{`. ${counted(newer, "newer row")} ${newer === 1 ? "waits" : "wait"}`}</span>
          )}
          .
        </p>
      )}
    </div>
  );
}

function heldWords({ hasPointer, hasSelection }: Presence): string {
  if (hasSelection) return "Order held while rows are selected";
  return hasPointer ? "Order held while you point" : "Order held while the focus is in the table";
}
