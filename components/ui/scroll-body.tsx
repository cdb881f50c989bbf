"use client";

import { type ReactNode, useRef } from "react";
import { classes } from "./classes.ts";
import { useScrollStop } from "./use-scroll-stop.ts";

/** Scrolled content of a dialog. */
export function ScrollBody({ children, className }: { children: ReactNode; className?: string }) {
  const body = useRef<HTMLDivElement>(null);
  const isStop = useScrollStop(body);
  return (
    <div
      ref={body}
      {...(isStop && { tabIndex: 0 })}
      className={classes("min-h-0 overflow-y-auto px-4 pb-4", className)}
    >
      {children}
    </div>
  );
}
