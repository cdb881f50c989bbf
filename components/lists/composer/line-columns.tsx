import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { spanAt } from "../rows/scroll-map.ts";
import type { TypedLine } from "./judged-lines.ts";
import { SignIcon, signText } from "./sign-icon.tsx";
import { verdictOf } from "./verdict-words.ts";

/** Line height in px, as in the field between the columns. */
export const lineHeight = 24;

interface ColumnProps {
  readonly scrolled: number;
  readonly rows: number;
}

export function Numbers({ count, ...column }: ColumnProps & { count: number }) {
  return (
    <Column
      {...column}
      count={count}
      className="w-9 pr-2 text-right font-mono text-text-3 select-none"
      isHidden
    >
      {(place) => place + 1}
    </Column>
  );
}

export function Verdicts({ lines, ...column }: ColumnProps & { lines: readonly TypedLine[] }) {
  return (
    <Column {...column} count={lines.length} className="w-34 pr-2.5 text-right max-sm:w-31">
      {(place) => {
        const line = lines[place];
        if (line?.isWaiting) return <Skeleton className="ml-auto h-3 w-14" />;
        return (
          line?.judged && (
            <Verdict line={place + 1} {...verdictOf(line.judged)} message={line.judged.message} />
          )
        );
      }}
    </Column>
  );
}

function Verdict({
  line,
  sign,
  word,
  message,
}: ReturnType<typeof verdictOf> & { line: number; message: string }) {
  return (
    <span title={message} className={classes("inline-flex max-w-full items-center gap-1", signText[sign])}>
      <SignIcon sign={sign} className="[&_.lucide]:size-3.5" />
      <span className="sr-only">{`Line ${line}: `}</span>
      <span className={classes("truncate", sign === "add" && "text-text-2")}>{word}</span>
    </span>
  );
}

interface DrawnColumnProps extends ColumnProps {
  readonly count: number;
  readonly className: string;
  readonly isHidden?: boolean;
  readonly children: (place: number) => ReactNode;
}

/** Column beside the text that scrolls with it. Only visible lines are drawn. */
function Column({ count, scrolled, rows, className, isHidden = false, children }: DrawnColumnProps) {
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
