import type { Marker } from "../../lib/queries/markers.ts";
import { cleanText } from "../ui/untrusted-text.ts";
import { dayClockText } from "./axis-text.ts";

export interface ChartTableProps {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** What the chart marks at its time. */
  markers?: readonly Marker[] | undefined;
}

/** What a chart shows, for whoever does not see it. */
export function ChartTable({ caption, head, rows, markers = [] }: ChartTableProps) {
  return (
    <details className="mt-2 text-cell text-text-3">
      <summary className="w-fit cursor-pointer rounded-control px-1 py-0.5">Show as a table</summary>
      <section
        className="mt-1 max-h-64 overflow-auto rounded-control border border-border"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        aria-label={caption}
      >
        <table className="w-full text-right tabular-nums">
          <caption className="sr-only">{caption}</caption>
          <thead className="sticky top-0 bg-surface">
            <tr>
              {head.map((text) => (
                <th key={text} scope="col" className="px-2 py-1 font-medium first:text-left">
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.toReversed().map((row) => (
              <tr key={row[0]} className="border-t border-border">
                {row.map((text, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are.
                  <td key={i} className="px-2 py-0.5 first:text-left">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {markers.length > 0 && <Changes markers={markers} />}
    </details>
  );
}

function Changes({ markers }: { markers: readonly Marker[] }) {
  return (
    <ul aria-label="Changes" className="mt-2 flex flex-col gap-0.5">
      {markers.map(({ n, at, actor, text }) => (
        <li key={n} className="wrap-anywhere">
          <span className="tabular-nums">{dayClockText(at)}</span> <bdi>{cleanText(actor, 80).text}</bdi>{" "}
          <bdi className="text-text-2">{cleanText(text, 200).text}</bdi>
        </li>
      ))}
    </ul>
  );
}
