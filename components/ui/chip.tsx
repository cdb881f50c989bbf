import { UserRound } from "lucide-react";
import type { MouseEventHandler, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Link } from "./link.tsx";
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

const pill =
  "inline-flex h-5 min-w-6 max-w-40 shrink-0 items-center gap-1 rounded-full border px-1.5 text-meta font-medium text-text-2";

interface LinkChipProps {
  href: string;
  /** For screen readers, which do not see the icon. */
  label: string;
  children: string;
}

/** A customer, as a link to its page. Neutral: a customer is no verdict. */
export function LinkChip({ href, label, children }: LinkChipProps) {
  return (
    <Link
      href={href}
      aria-label={label}
      title={label}
      className={classes(pill, "border-border-2 hover:text-text")}
    >
      <UserRound className="size-3 shrink-0" aria-hidden="true" />
      <span className="truncate">{children}</span>
    </Link>
  );
}

/** A fact in the place of a customer: that there is none, that it is unknown, or how many more there are. */
export function NoteChip({ title, children }: { title: string; children: string }) {
  return (
    <span title={title} className={classes(pill, "border-dashed border-border-2 font-normal")}>
      {children}
    </span>
  );
}
