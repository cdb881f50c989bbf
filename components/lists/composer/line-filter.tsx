"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { Input } from "@/components/ui/input.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { LineVerdict } from "./line-verdict.tsx";
import { countKinds, kindOf, type LineKind, lineKinds, type TypedLine } from "./typed-lines.ts";

const names: Readonly<Record<LineKind, string>> = {
  ready: "Added",
  suggestions: "Suggestions",
  customers: "Customers",
  skipped: "Skipped",
  none: "No address",
};

interface LineFilterProps {
  readonly lines: readonly TypedLine[];
  readonly filter: LineKind | undefined;
  readonly onFilter: (kind: LineKind | undefined) => void;
}

/** Filter of the lines by what becomes of them. Its numbers add up to all lines. */
export function LineFilter({ lines, filter, onFilter }: LineFilterProps) {
  const counts = countKinds(lines);
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1.5">
      <legend className="sr-only">Show lines</legend>
      <Chip isOn={filter === undefined} count={counts.all} onClick={() => onFilter(undefined)}>
        All
      </Chip>
      {lineKinds
        .filter((kind) => kind !== "customers" || counts.customers > 0 || filter === kind)
        .map((kind) => (
          <Chip key={kind} isOn={filter === kind} count={counts[kind]} onClick={() => onFilter(kind)}>
            {names[kind]}
          </Chip>
        ))}
    </fieldset>
  );
}

/** Rows that are drawn at a time. */
const mostRows = 200;

interface FilteredLinesProps {
  readonly list: string;
  readonly lines: readonly TypedLine[];
  readonly filter: LineKind;
  readonly isBusy: boolean;
  readonly onEdit: (line: number, text: string) => void;
  readonly onUse: (line: number, to: string) => void;
}

/** Lines of one kind, each in a field. A line that is edited here stays, whatever it becomes. */
export function FilteredLines({ list, lines, filter, isBusy, onEdit, onUse }: FilteredLinesProps) {
  const [edited, setEdited] = useState<{ readonly of: number; readonly numbers: ReadonlySet<number> }>();
  // A suggestion of several lines moves the lines behind it.
  const kept = edited?.of === lines.length ? edited.numbers : undefined;
  const rows = lines.flatMap((line, i) =>
    kindOf(line) === filter || kept?.has(i + 1) ? [{ ...line, number: i + 1 }] : [],
  );
  const edit = (number: number, text: string) => {
    setEdited({ of: lines.length, numbers: new Set([...(kept ?? []), number]) });
    onEdit(number, text);
  };
  return (
    <div className="flex flex-col gap-1.5">
      <ol
        aria-label={`Lines: ${names[filter]}`}
        className="max-h-88 overflow-y-auto rounded-control border border-control bg-field py-1"
      >
        {rows.slice(0, mostRows).map((row) => (
          <li key={row.number} className="flex items-center gap-2 px-2 py-0.5 text-cell">
            <span aria-hidden className="w-7 shrink-0 text-right font-mono text-text-3">
              {row.number}
            </span>
            <Input
              isMono
              aria-label={`Line ${row.number}`}
              value={row.text}
              readOnly={isBusy}
              spellCheck={false}
              autoCapitalize="off"
              onChange={(event) => edit(row.number, event.target.value)}
              className="min-w-0 flex-1"
            />
            <span className="flex w-40 shrink-0 justify-end max-sm:w-31">
              <LineVerdict line={row} number={row.number} onUse={(to) => onUse(row.number, to)} />
            </span>
          </li>
        ))}
        {rows.length === 0 && <li className="px-2 py-1 text-cell text-text-3">No such line.</li>}
      </ol>
      <div className="flex items-center justify-between gap-2 text-cell text-text-3">
        <span>{rows.length > mostRows && `and ${countText(rows.length - mostRows)} more lines`}</span>
        <Button
          size="sm"
          icon={<Download />}
          disabled={rows.length === 0}
          onClick={() => download(`${list}-${names[filter].toLowerCase().replace(" ", "-")}.txt`, rows)}
        >
          {`Download ${counted(rows.length, "line")}`}
        </Button>
      </div>
    </div>
  );
}

function download(name: string, rows: readonly TypedLine[]): void {
  const text = rows.map((row) => `${row.text}\n`).join("");
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
