import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLatest } from "@/components/console/use-latest.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ListUrl, writeListUrl } from "../list-url.ts";
import { useKnownCount, useRows } from "./row-windows.ts";
import {
  positionAt,
  type Scrolled,
  scrolledTo,
  spaceAround,
  spanAt,
  type Tall,
  topFor,
} from "./scroll-map.ts";

/** Rest in ms after which the URL follows the rows. */
const urlAfterMs = 400;
/** Rest in ms after which the scrollbar is corrected. */
const realignAfterMs = 150;

interface ListViewOptions extends Omit<TallOptions, "rows"> {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  /** False while the width of the window is unknown. The heights are then those of a wide one. */
  readonly isMeasured: boolean;
}

/** Visible rows, and their place in the list. */
export function useListView({ list, url, setUrl, isMeasured, ...sizes }: ListViewOptions) {
  const [count, setCount] = useState(useKnownCount(list, url));
  const tall = useTallList({ rows: count, ...sizes });
  const rows = useRows(list, url, tall.span);
  useEffect(() => setCount(rows.count), [rows.count]);
  usePlace({ url, setUrl, tall, count: isMeasured ? count : 0 });
  return { tall, rows };
}

interface Placing extends Pick<ListViewOptions, "url" | "setUrl"> {
  readonly tall: ReturnType<typeof useTallList>;
  readonly count: number;
}

/** A link opens at its row. The URL follows the rows. Another view begins at the top. */
function usePlace({ url, setUrl, tall: { first, scrollTo }, count }: Placing): void {
  const isPlaced = useRef(false);
  const view = writeListUrl({ ...url, offset: 0 });
  const viewBefore = useRef(view);
  useEffect(() => {
    if (isPlaced.current || count === 0) return;
    isPlaced.current = true;
    if (url.offset > 0) scrollTo(Math.min(url.offset, count - 1));
  }, [count, url.offset, scrollTo]);
  useEffect(() => {
    if (viewBefore.current === view) return;
    viewBefore.current = view;
    if (first > 0) scrollTo(0);
  }, [view, first, scrollTo]);
  useEffect(() => {
    if (!isPlaced.current || first === url.offset) return;
    const timer = setTimeout(() => setUrl({ ...url, offset: first }), urlAfterMs);
    return () => clearTimeout(timer);
  }, [first, url, setUrl]);
}

interface TallOptions {
  readonly rows: number;
  readonly rowHeight: number;
  /** Height in px of what covers the rows' upper end while they scroll: the page's bar and the table's head. */
  readonly headHeight: number;
}

/** Draws the visible part of a list of any length that scrolls with its page. */
function useTallList({ rows, rowHeight, headHeight }: TallOptions) {
  /** Ref of the element with the rows. */
  const ref = useRef<HTMLElement>(null);
  const [view, setView] = useState(800);
  /** Height of the window below the upper end of the rows, in px. */
  const [seen, setSeen] = useState(view);
  const [scrolled, setScrolled] = useState<Scrolled>({ top: 0, position: 0 });
  const tall: Tall = { rows, rowHeight, view };
  const now = useLatest(tall);

  const look = useCallback(() => {
    if (!ref.current) return;
    const { top } = ref.current.getBoundingClientRect();
    setView(Math.max(200, window.innerHeight - headHeight));
    setSeen(Math.max(0, window.innerHeight - Math.max(headHeight, top)));
    const barAt = headHeight - top;
    setScrolled((before) => {
      const next = scrolledTo(barAt, before, now.current);
      return next.top === before.top && next.position === before.position ? before : next;
    });
  }, [headHeight, now]);
  useScrolling(look);
  // Another length may move the list without a scroll event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another length measures again.
  useLayoutEffect(look, [look, rows, rowHeight]);

  const stand = useCallback(
    (wished: number) => {
      const position = positionAt(topFor(wished, now.current), now.current);
      const top = topFor(position, now.current);
      // Set before the scroll event, which would count as a small step.
      setScrolled({ top, position });
      if (ref.current) scrollPage(ref.current, top - (headHeight - ref.current.getBoundingClientRect().top));
    },
    [headHeight, now],
  );
  useRealigned(scrolled, tall, stand);
  const scrollTo = useCallback((row: number) => stand(row * now.current.rowHeight), [stand, now]);

  const span = spanAt(scrolled.position, tall);
  /** Row at the top. */
  const first = Math.min(Math.round(scrolled.position / rowHeight), Math.max(0, rows - 1));
  /** Row after the last visible one. */
  const last = Math.min(rows, Math.floor((scrolled.position + seen) / rowHeight));
  return { ref, span, space: spaceAround(span, scrolled, tall), first, last, scrollTo };
}

/** Measures again after a resize, and after scrolling of the page or a part of it. */
function useScrolling(look: () => void): void {
  useEffect(() => {
    const options = { capture: true, passive: true };
    document.addEventListener("scroll", look, options);
    window.addEventListener("resize", look);
    return () => {
      document.removeEventListener("scroll", look, options);
      window.removeEventListener("resize", look);
    };
  }, [look]);
}

/** Small steps move a very long list by the pixel, and its scrollbar too far. The scrollbar is corrected when it rests. */
function useRealigned({ top, position }: Scrolled, tall: Tall, stand: (position: number) => void): void {
  const isOff = Math.abs(topFor(position, tall) - top) > 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: every move restarts the timer.
  useEffect(() => {
    if (!isOff) return;
    const timer = setTimeout(() => stand(position), realignAfterMs);
    return () => clearTimeout(timer);
  }, [isOff, top, position, stand]);
}

function scrollPage(list: HTMLElement, by: number): void {
  scrollerOf(list).scrollBy({ top: by, behavior: "instant" });
}

function scrollerOf(element: HTMLElement): Element {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY) && at.scrollHeight > at.clientHeight) return at;
  }
  return document.documentElement;
}
