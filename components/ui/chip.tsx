import type { MouseEventHandler, ReactNode } from "react";
import { classes } from "./classes.ts";
import { countText } from "./value-text.ts";

interface ChipProps {
  isOn: boolean;
  onClick: MouseEventHandler<HTMLButtonElement>;
  count?: number | undefined;
  icon?: ReactNode;
  children: ReactNode;
}

/** A filter that is on or off. */
export function Chip({ isOn, onClick, count, icon, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={classes(
        "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full border px-3 text-cell font-medium whitespace-nowrap transition-colors max-sm:h-11",
        isOn ? "border-text-3 bg-raised text-text" : "border-border-2 text-text-2 hover:text-text",
      )}
    >
      {icon}
      {children}
      {count !== undefined && <span className="font-normal text-text-2">{countText(count)}</span>}
    </button>
  );
}
