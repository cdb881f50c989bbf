import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";

interface WordmarkProps {
  className?: string;
  /** In the sidebar, which shows only the mark while it is a rail. */
  isRail?: boolean;
  /** Only the mark, as large as a finger. */
  isMark?: boolean;
}

export function Wordmark({ className, isRail = false, isMark = false }: WordmarkProps) {
  return (
    <div className={classes("flex shrink-0 items-center", className)}>
      <Link
        href="/"
        className={classes(
          "flex items-center gap-2.5 rounded-control py-1 text-[15px] font-semibold",
          isMark && "min-h-11 min-w-8 justify-center",
          isRail && "rail:w-full rail:justify-center",
        )}
      >
        <Mark className={isMark ? "size-7" : isRail ? "size-5 rail:size-6" : undefined} />
        <span className={isMark ? "sr-only" : isRail ? "rail:sr-only" : undefined}>Sluice</span>
      </Link>
    </div>
  );
}

/** Sluice's logo, in the colours of the theme. */
export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classes("shrink-0", className ?? "size-5")}>
      <rect width="32" height="32" rx="8" className="fill-inv" />
      <g strokeWidth="3" strokeLinecap="round" className="stroke-inv-text">
        <path d="M7 11h6M7 21h6M7 16h18M18 7v18" />
      </g>
    </svg>
  );
}
