import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useState,
} from "react";
import { isPressed } from "@/components/console/shortcuts.ts";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { spanAt } from "../rows/scroll-map.ts";
import { linesOf, type TypedLine } from "./typed-lines.ts";
import { SignIcon, signs, verdictOf } from "./verdicts.tsx";

/** Line height in px, as in the field between the columns. */
const lineHeight = 24;
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
  const column = { count: lines.length, scrolled, rows };
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
        <Column {...column} className="w-9 pr-2 text-right font-mono text-text-3 select-none" isHidden>
          {(place) => place + 1}
        </Column>
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
        <Column {...column} className="w-34 pr-2.5 text-right max-sm:w-31">
          {(place) => <Verdict line={lines[place]} place={place} />}
        </Column>
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

function Verdict({ line, place }: { line: TypedLine | undefined; place: number }) {
  if (line?.isWaiting) return <Skeleton className="ml-auto h-3 w-14" />;
  if (!line?.judged) return null;
  const { sign, word } = verdictOf(line.judged);
  return (
    <span
      title={line.judged.message}
      className={classes("inline-flex max-w-full items-center gap-1", signs[sign].colour)}
    >
      <SignIcon sign={sign} className="[&_.lucide]:size-3.5" />
      <span className="sr-only">{`Line ${place + 1}: `}</span>
      <span className={classes("truncate", sign === "add" && "text-text-2")}>{word}</span>
    </span>
  );
}

interface ColumnProps {
  readonly count: number;
  readonly scrolled: number;
  readonly rows: number;
  readonly className: string;
  readonly isHidden?: boolean;
  readonly children: (place: number) => ReactNode;
}

/** Column beside the text that scrolls with it. Only visible lines are drawn. */
function Column({ count, scrolled, rows, className, isHidden = false, children }: ColumnProps) {
  const { from, to } = spanAt(scrolled, { rows: count, rowHeight: lineHeight, view: rows * lineHeight });
  return (
    <ol
      aria-hidden={isHidden || undefined}
      className={classes("relative overflow-hidden text-cell", className)}
    >
      {Array.from({ length: to - from }, (_, i) => from + i).map((place) => (
        <li
          key={place}
          style={{ top: 8 + place * lineHeight - scrolled, height: lineHeight }}
          className="absolute inset-x-0 flex items-center justify-end pr-[inherit]"
        >
          {children(place)}
        </li>
      ))}
    </ol>
  );
}
