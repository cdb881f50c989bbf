"use client";

import type { ReactNode } from "react";
import { useIsBelow, type Width } from "./use-media.ts";

interface ByWidthProps {
  readonly width: Width;
  readonly below: ReactNode;
  readonly above: ReactNode;
}

/** One of two layouts. While the window's width is unknown, as in the server's HTML, both are drawn and CSS hides one. */
export function ByWidth({ width, below, above }: ByWidthProps) {
  const isBelow = useIsBelow(width);
  return (
    <>
      {isBelow !== false && <div className={width.isBelow}>{below}</div>}
      {isBelow !== true && <div className={width.isNotBelow}>{above}</div>}
    </>
  );
}
