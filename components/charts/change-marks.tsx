import { Link } from "@/components/ui/link.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { cleanText } from "@/components/ui/untrusted-text.ts";
import { minuteText } from "@/components/ui/value-text.ts";
import type { Marker } from "@/lib/queries/markers.ts";
import { beside, type PlacedChange } from "./change-layout.ts";
import { lane, type Plot } from "./plot.ts";

/** Height of the dots' lane above the plot, in px. */
const dotHeight = 12;

/** A dashed line at the time of each change. */
export function ChangeLines({ plot, changes }: { plot: Plot; changes: readonly PlacedChange[] }) {
  return changes.map(({ key, x }) => (
    <g key={key}>
      <line
        x1={x}
        x2={x}
        y1={plot.top - lane + dotHeight}
        y2={plot.bottom}
        stroke="var(--text-3)"
        strokeDasharray="2 3"
      />
      <circle cx={x} cy={plot.top - lane + dotHeight} r={3} fill="var(--text-2)" />
    </g>
  ));
}

/** Labels of the lines. Each links to its audit record. */
export function ChangeLinks({ changes }: { changes: readonly PlacedChange[] }) {
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Changes on the chart" className="absolute inset-x-0 top-0 h-0">
      {changes.map((change) => (
        <li key={change.key}>
          <ChangeLink change={change} />
        </li>
      ))}
    </ul>
  );
}

/** Clickable margin around a dot, in px. */
const around = 12;

function ChangeLink({ change: { x, markers, label, width, side } }: { change: PlacedChange }) {
  const isLeft = side === "left";
  const length = beside + width;
  return (
    <Tooltip text={<Sentences markers={markers} />} isName>
      <Link
        href={`/audit?record=${markers.at(-1)?.n ?? ""}`}
        aria-label={nameOf(label, markers)}
        draggable={false}
        className="group absolute top-0 flex h-6 items-center rounded-control text-meta whitespace-nowrap text-text-2 transition-colors hover:text-text max-sm:h-11 max-sm:items-start max-sm:pt-1.25"
        style={{
          left: isLeft ? x - length : x - around,
          width: length + around,
          [isLeft ? "paddingRight" : "paddingLeft"]: around + beside,
          justifyContent: isLeft ? "flex-end" : "flex-start",
        }}
      >
        <span
          data-axis="change"
          className="truncate decoration-border-2 underline-offset-2 group-hover:underline"
        >
          {label}
        </span>
      </Link>
    </Tooltip>
  );
}

const mostSentences = 6;

function Sentences({ markers }: { markers: readonly Marker[] }) {
  return (
    <>
      {newestOf(markers).map((marker) => (
        <span key={marker.n} className="block wrap-anywhere tabular-nums">
          {sentenceOf(marker)}
        </span>
      ))}
      {markers.length > mostSentences && (
        <span className="block text-text-3">{markers.length - mostSentences} more in the audit log</span>
      )}
    </>
  );
}

function newestOf(markers: readonly Marker[]): Marker[] {
  return markers.slice(-mostSentences).reverse();
}

/** Accessible name. Starts with the visible label. */
function nameOf(label: string, markers: readonly Marker[]): string {
  const sentences = newestOf(markers).map(sentenceOf).join("; ");
  return `${label}: ${sentences}. Open in the audit log`;
}

/** `14:32 ada@example.org blocked 203.0.113.9 for 1 week` */
function sentenceOf({ at, actor, text }: Marker): string {
  return `${minuteText(at)} ${cleanText(actor, 80).text} ${cleanText(text, 200).text}`;
}
