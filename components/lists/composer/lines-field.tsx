"use client";

import { type ClipboardEvent, type KeyboardEvent, type RefObject, useId, useState } from "react";
import { isPressed } from "@/components/console/shortcuts.ts";
import { counted } from "@/components/ui/value-text.ts";
import type { TypedLine } from "./judged-lines.ts";
import { lineHeight, Numbers, Verdicts } from "./line-columns.tsx";
import { linesOf } from "./pasted-lines.ts";

const fewest = 5;
const most = 14;

interface LinesFieldProps {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly lines: readonly TypedLine[];
  readonly isBusy: boolean;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
}

/** Field with one address per line, between the line numbers and the verdicts. */
export function LinesField({ fieldRef, text, lines, isBusy, onChange, onSubmit }: LinesFieldProps) {
  const id = useId();
  const [scrolled, setScrolled] = useState(0);
  const rows = Math.min(most, Math.max(fewest, lines.length));
  const filled = lines.filter((line) => line.text.trim() !== "").length;
  const press = (event: KeyboardEvent) => {
    if (!isPressed("submit", event)) return;
    event.preventDefault();
    onSubmit();
  };
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2 text-cell">
        <label htmlFor={id} className="text-text-2">
          Paste IPs or CIDRs, one per line
        </label>
        <span className="text-text-3">{filled > 0 && counted(filled, "line")}</span>
      </div>
      <div className="relative grid grid-cols-[auto_minmax(0,1fr)_auto] overflow-hidden rounded-control border border-control bg-field focus-within:border-text focus-within:ring-3 focus-within:ring-ring">
        <Numbers count={lines.length} scrolled={scrolled} rows={rows} />
        <textarea
          id={id}
          ref={fieldRef}
          value={text}
          rows={rows}
          wrap="off"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          readOnly={isBusy}
          onChange={(event) => onChange(event.target.value)}
          onPaste={(event) => pasteLines(event, onChange)}
          onKeyDown={press}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
          style={{ lineHeight: `${lineHeight}px`, height: rows * lineHeight + 16 }}
          className="min-w-0 resize-none bg-transparent py-2 pr-2 font-mono text-body outline-none focus-visible:shadow-none focus-visible:outline-none max-sm:text-[16px]"
        />
        <Verdicts lines={lines} scrolled={scrolled} rows={rows} />
      </div>
    </div>
  );
}

/** Browsers take seconds to paste more lines than this. Then the code inserts the text. */
const mostPasted = 200;

/** Pastes with the browser's own command where that is fast, because the browser can undo it. */
function pasteLines(event: ClipboardEvent<HTMLTextAreaElement>, onChange: (text: string) => void): void {
  const pasted = event.clipboardData.getData("text/plain");
  const lines = linesOf(pasted);
  if (lines.split("\n").length > mostPasted) {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    event.preventDefault();
    onChange(value.slice(0, selectionStart) + lines + value.slice(selectionEnd));
  } else if (lines !== pasted.replace(/\r\n?/g, "\n")) {
    if (document.execCommand("insertText", false, lines)) event.preventDefault();
  }
}
