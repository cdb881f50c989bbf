import { type RefObject, useEffect, useRef, useState } from "react";

interface Size {
  /** Width in px. */
  readonly width: number;
  readonly height: number;
}

const usual: Size = { width: 640, height: 256 };

/** Current size of an element. */
export function useSize(): [RefObject<HTMLDivElement | null>, Size] {
  const frame = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState(usual);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, size];
}
