"use client";

import { useEffect, useRef, useState } from "react";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ListUrl, writeListUrl } from "../list-url.ts";
import { type ListRows, useKnownCount, useRows } from "./row-windows.ts";
import { type TallList, useTallList } from "./use-tall-list.ts";

const restMs = 400;

interface ListViewOptions {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  /** False while the width of the window is unknown. The heights are then those of a wide one. */
  readonly isMeasured: boolean;
  readonly rowHeight: number;
  /** Height in px of what covers the rows' upper end while they scroll. */
  readonly headHeight: number;
}

export interface ListView {
  readonly tall: TallList;
  readonly rows: ListRows;
}

/** Visible rows, and their place in the list. */
export function useListView(options: ListViewOptions): ListView {
  const { list, url, setUrl, isMeasured, rowHeight, headHeight } = options;
  const [count, setCount] = useState(useKnownCount(list, url));
  const tall = useTallList({ rows: count, rowHeight, headHeight });
  const rows = useRows({ list, url, span: tall.span });
  useEffect(() => setCount(rows.count), [rows.count]);
  usePlace({ url, setUrl, tall, count: isMeasured ? count : 0 });
  return { tall, rows };
}

interface Placing {
  readonly url: ListUrl;
  readonly setUrl: (url: ListUrl) => void;
  readonly tall: TallList;
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
    const timer = setTimeout(() => setUrl({ ...url, offset: first }), restMs);
    return () => clearTimeout(timer);
  }, [first, url, setUrl]);
}
