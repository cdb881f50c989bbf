import { classes } from "../ui/classes.ts";

/** Sluice's mark, in the colours of the theme. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classes("shrink-0", className ?? "size-5")}>
      <rect width="32" height="32" rx="8" className="fill-inv" />
      <g strokeWidth="3" strokeLinecap="round" className="stroke-inv-text">
        <path d="M7 11h6M7 21h6M7 16h18M18 7v18" />
      </g>
    </svg>
  );
}
