import { useEffect, useEffectEvent, useState } from "react";

export interface Replaced {
  /** Lines that the last use of suggestions has replaced, while it can be undone. */
  readonly count: number | undefined;
  replace(text: string, count: number): void;
  undo(): void;
}

interface Step {
  readonly before: string;
  readonly after: string;
  readonly count: number;
}

/** Each step keeps the text, of a megabyte at most. */
const mostSteps = 20;

/** Undo of suggestions, by a button and by Ctrl-Z: the browser cannot undo a change that code has made. */
export function useReplaced(text: string, change: (text: string) => void): Replaced {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const last = steps.at(-1);
  // Any later edit is the browser's to undo.
  const canUndo = last !== undefined && last.after === text;
  const undo = () => {
    if (!canUndo) return;
    setSteps(steps.slice(0, -1));
    change(last.before);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (!isUndo || event.defaultPrevented || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    if (!canUndo) return;
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [canUndo]);
  return {
    count: canUndo ? last.count : undefined,
    replace(after, count) {
      setSteps([...(canUndo ? steps.slice(1 - mostSteps) : []), { before: text, after, count }]);
      change(after);
    },
    undo,
  };
}
