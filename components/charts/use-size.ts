import { type RefObject, useLayoutEffect, useRef, useState } from "react";

interface Size {
  /** Width in px. */
  readonly width: number;
  readonly height: number;
}

const usual: Size = { width: 640, height: 256 };

/** Current size of an element. It is known before the element is painted. */
export function useSize(): [RefObject<HTMLDivElement | null>, Size] {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(usual);
  useLayoutEffect(() => {
    if (!frame.current) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    setSize({ width, height });
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, size];
}
