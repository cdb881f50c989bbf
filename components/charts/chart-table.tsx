import { TextLink } from "@/components/ui/link.tsx";
import { cleanText } from "@/components/ui/untrusted-text.ts";
import { dayClockText } from "@/components/ui/value-text.ts";
import type { Marker, OffSpan } from "@/lib/queries/markers.ts";
import { offSentence } from "./time-bands.tsx";

interface ChartTableProps {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Changes that the chart marks. */
  markers?: readonly Marker[] | undefined;
  /** Times that the chart shades. */
  off?: readonly OffSpan[] | undefined;
}

/** The data of the chart as a table. */
export function ChartTable({ caption, head, rows, markers = [], off = [] }: ChartTableProps) {
  return (
    <details className="mt-2 text-cell text-text-3">
      <summary className="w-fit cursor-pointer rounded-control px-1 py-0.5">Show as a table</summary>
      <section
        className="mt-1 max-h-64 overflow-auto rounded-control border border-border"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling with the keyboard requires focus.
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
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places.
                  <td key={i} className="px-2 py-0.5 first:text-left">
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {off.map((span) => (
        <p key={span.until ?? "open"} className="mt-2">
          {offSentence(span)}
        </p>
      ))}
      {markers.length > 0 && <Changes markers={markers} />}
    </details>
  );
}

function Changes({ markers }: { markers: readonly Marker[] }) {
  return (
    <ul aria-label="Changes" className="mt-2 flex flex-col gap-0.5">
      {markers.map(({ n, at, actor, text }) => (
        <li key={n} className="wrap-anywhere">
          <TextLink href={`/audit?record=${n}`} className="inline-block py-1 tabular-nums">
            {dayClockText(at)}
          </TextLink>{" "}
          <bdi>{cleanText(actor, 80).text}</bdi>{" "}
          <bdi className="text-text-2">{cleanText(text, 200).text}</bdi>
        </li>
      ))}
    </ul>
  );
}
