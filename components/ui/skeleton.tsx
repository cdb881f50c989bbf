import { classes } from "./classes.ts";

/** Placeholder of loading content. The caller sets `aria-busy` on the frame. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes("block animate-breathe rounded-badge bg-track", className ?? "h-4 w-full")}
    />
  );
}
