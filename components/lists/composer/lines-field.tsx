import dynamic from "next/dynamic";
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
import { counted } from "@/components/ui/value-text.ts";
import { spanAt } from "../rows/scroll-map.ts";
import type { Correction } from "./preview-groups.ts";
import type { LineKind, TypedLine } from "./typed-lines.ts";

// Without `loading`, the page around them is hidden until they are there, and the field loses the focus.
/** Loaded with the first lines: an empty field has no use for them. */
const LineFilter = dynamic(() => import("./line-filter.tsx").then((file) => file.LineFilter), {
  loading: () => null,
});
const LineVerdict = dynamic(() => import("./line-verdict.tsx").then((file) => file.LineVerdict), {
  loading: () => null,
});
const FilteredLines = dynamic(() => import("./line-filter.tsx").then((file) => file.FilteredLines), {
  loading: () => null,
});

/** Line height in px, as in the field between the columns. */
const lineHeight = 24;
const fewest = 5;
const most = 20;

interface LinesFieldProps {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly lines: readonly TypedLine[];
  readonly isBusy: boolean;
  readonly list: string;
  /** Kind of the lines that are shown. Undefined: all, in one field. */
  readonly filter: LineKind | undefined;
  readonly onFilter: (kind: LineKind | undefined) => void;
  readonly onChange: (text: string) => void;
  readonly onCorrect: (correction: Correction) => void;
  readonly onEdit: (line: number, text: string) => void;
  readonly onSubmit: () => void;
}

/** Field with one address per line, between the line numbers and the verdicts. */
export function LinesField(props: LinesFieldProps) {
  const { fieldRef, text, lines, isBusy, list, filter, onFilter, onChange, onCorrect, onEdit, onSubmit } =
    props;
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
        <span className="min-w-0 truncate text-text-3">
          <label htmlFor={id} className="pr-2 text-text-2">
            Paste anything
          </label>
          lists, logs, CSV, mail
        </span>
        <span className="text-text-3">{filled > 0 && counted(filled, "line")}</span>
      </div>
      {filled > 1 && <LineFilter lines={lines} filter={filter} onFilter={onFilter} />}
      {filter !== undefined && (
        <FilteredLines
          key={filter}
          {...{ list, lines, filter, isBusy, onEdit }}
          onUse={(line, to) => onCorrect({ line, to })}
        />
      )}
      <div
        className={classes(
          "relative grid grid-cols-[auto_minmax(0,1fr)_auto] overflow-hidden rounded-control border border-control bg-field focus-within:border-text focus-within:ring-3 focus-within:ring-ring",
          // The shortcut that moves the focus into the field ends the filter.
          filter !== undefined && "sr-only",
        )}
      >
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
          tabIndex={filter === undefined ? undefined : -1}
          onFocus={() => onFilter(undefined)}
          onChange={(event) => onChange(event.target.value)}
          onPaste={(event) => pasteLines(event, onChange)}
          onKeyDown={press}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
          style={{ lineHeight: `${lineHeight}px`, height: rows * lineHeight + 16 }}
          className="min-w-0 resize-none bg-transparent py-2 max-lg:max-h-88 pr-2 font-mono text-body outline-none focus-visible:shadow-none focus-visible:outline-none max-sm:text-[16px]"
        />
        <Column {...column} className="w-40 pr-2.5 text-right max-sm:w-31">
          {(place) => {
            const line = lines[place];
            const number = place + 1;
            return (
              line && (
                <LineVerdict line={line} number={number} onUse={(to) => onCorrect({ line: number, to })} />
              )
            );
          }}
        </Column>
      </div>
    </div>
  );
}

/** Browsers take seconds to paste more lines than this. Then the code inserts the text. */
const mostPasted = 200;

function pasteLines(event: ClipboardEvent<HTMLTextAreaElement>, onChange: (text: string) => void): void {
  const pasted = event.clipboardData.getData("text/plain").replace(/\r\n?/g, "\n");
  if (pasted.split("\n").length <= mostPasted) return;
  const { value, selectionStart, selectionEnd } = event.currentTarget;
  event.preventDefault();
  onChange(value.slice(0, selectionStart) + pasted + value.slice(selectionEnd));
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
