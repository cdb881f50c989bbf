"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import {
  drawnHeight,
  follow,
  type List,
  type Place,
  type Reach,
  type RowWindow,
  rest,
  start,
  windowOf,
} from "./row-window.ts";

const restsAfterMs = 150;
/** Height in px until the frame is measured, and on the server. */
const usualViewport = 800;

/** Rows of a scrolled frame to draw, and their position. */
export function useRowWindow(scrollRef: RefObject<HTMLDivElement | null>, list: List): RowWindow {
  const { count, rowHeight } = list;
  const [place, setPlace] = useState(start);
  const [viewport, setViewport] = useState(usualViewport);
  const latest = useRef<Place>(start);
  // Effects run after refs are set, so the frame's ref is set here.
  useEffect(() => {
    const frame = scrollRef.current;
    if (!frame) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const move = () => {
      latest.current = follow(latest.current, frame.scrollTop, reachOf(frame, { count, rowHeight }));
      // Draws before the browser paints, so that no gap is visible.
      flushSync(() => setPlace(latest.current));
      clearTimeout(resting);
      resting = setTimeout(settle, restsAfterMs);
    };
    const settle = () => {
      frame.scrollTop = rest(latest.current, reachOf(frame, { count, rowHeight }));
      latest.current = { ...latest.current, scrolled: frame.scrollTop };
      setPlace(latest.current);
    };
    const measured = new ResizeObserver(() => setViewport(frame.clientHeight));
    measured.observe(frame);
    frame.addEventListener("scroll", move, { passive: true });
    return () => {
      clearTimeout(resting);
      measured.disconnect();
      frame.removeEventListener("scroll", move);
    };
  }, [scrollRef, count, rowHeight]);
  return windowOf(list, place, viewport);
}

function reachOf(frame: HTMLElement, list: List): Reach {
  const mostScrolled = frame.scrollHeight - frame.clientHeight;
  const hidden = list.count * list.rowHeight - drawnHeight(list);
  return { mostScrolled, mostOffset: mostScrolled + hidden, viewport: frame.clientHeight };
}
