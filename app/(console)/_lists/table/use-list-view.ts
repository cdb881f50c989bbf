"use client";

import { useEffect, useRef, useState } from "react";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { type ListUrl, writeListUrl } from "../list-url.ts";
import { type ListRows, useRows } from "./use-rows.ts";
import { type TallList, useTallList } from "./use-tall-list.ts";

const restMs = 400;

interface ListViewOptions {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  readonly rowHeight: number;
  /** In px: what covers the rows' upper end while they scroll. */
  readonly headHeight: number;
}

export interface ListView {
  readonly tall: TallList;
  readonly rows: ListRows;
  readonly setIsHeld: (isHeld: boolean) => void;
}

/** The rows in sight, and where in the list that is. */
export function useListView({ list, url, setUrl, rowHeight, headHeight }: ListViewOptions): ListView {
  const [count, setCount] = useState(0);
  const [isHeld, setIsHeld] = useState(false);
  const tall = useTallList({ rows: count, rowHeight, headHeight });
  const rows = useRows({ list, url, span: tall.span, isHeld });
  useEffect(() => setCount(rows.count), [rows.count]);
  usePlace({ url, setUrl, tall, count });
  return { tall, rows, setIsHeld };
}

interface Placing {
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  readonly tall: TallList;
  readonly count: number;
}

/** A link leads to the row it names; the address bar follows the rows; another view begins at its top. */
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
    const timer = setTimeout(() => setUrl({ ...url, offset: first }), restMs);
    return () => clearTimeout(timer);
  }, [first, url, setUrl]);
}
