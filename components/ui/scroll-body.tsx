"use client";

import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { classes } from "./classes.ts";

/** Scrolled content of a dialog. */
export function ScrollBody({ children, className }: { children: ReactNode; className?: string | undefined }) {
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

const focusable = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex='0']";

/** Whether an element must be focusable to scroll with keys: its content is too long and has no focusable element. */
export function useScrollStop(scrolled: RefObject<HTMLElement | null>): boolean {
  const [isStop, setIsStop] = useState(false);
  useEffect(() => {
    const element = scrolled.current;
    if (!element) return;
    const measure = () => setIsStop(isTooLarge(element) && !element.querySelector(focusable));
    const changes = new MutationObserver(measure);
    const sizes = new ResizeObserver(measure);
    changes.observe(element, { childList: true, subtree: true });
    sizes.observe(element);
    return () => {
      changes.disconnect();
      sizes.disconnect();
    };
  }, [scrolled]);
  return isStop;
}

function isTooLarge({ scrollHeight, clientHeight, scrollWidth, clientWidth }: HTMLElement): boolean {
  return scrollHeight > clientHeight || scrollWidth > clientWidth;
}
