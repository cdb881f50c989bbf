"use client";

import { classes } from "../ui/classes.ts";
import { Link } from "../ui/link.tsx";
import { Mark } from "./mark.tsx";

export function Wordmark({ className }: { className?: string }) {
  return (
    <div className={classes("flex shrink-0 items-center", className)}>
      <Link href="/" className="flex items-center gap-2.5 rounded-control py-1 text-[15px] font-semibold">
        <Mark />
        Sluice
      </Link>
    </div>
  );
}
