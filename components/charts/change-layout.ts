import type { Marker } from "../../lib/queries/markers.ts";
import { counted } from "../ui/count-text.ts";
import { cleanText } from "../ui/untrusted-text.ts";
import { clockText } from "./axis-text.ts";

/** A line of a chart for one change, or for some that happened at almost the same time. */
export interface PlacedChange {
  readonly key: number;
  readonly x: number;
  readonly markers: readonly Marker[];
  /** As much as fits beside the line; "" where nothing does. */
  readonly label: string;
  readonly anchor: "start" | "end";
}

interface Plot {
  readonly left: number;
  readonly right: number;
  /** Where a time lies. */
  x(at: number): number | undefined;
}

/** In px. */
const together = 6;
const characterWidth = 5.8;
const besideLine = 10;
const timeCharacters = 5;
/** With fewer, the time alone says more. */
const leastCharacters = 15;
const mostCharacters = 44;

/** Where lines stand, and what is said beside each without running into its neighbours. */
export function placeChanges(markers: readonly Marker[], { left, right, x }: Plot): PlacedChange[] {
  const groups: { x: number; markers: Marker[] }[] = [];
  for (const marker of markers.toSorted((a, b) => a.at - b.at)) {
    const at = x(marker.at);
    if (at === undefined || at < left || at > right) continue;
    const last = groups.at(-1);
    if (last && at - last.x < together) last.markers.push(marker);
    else groups.push({ x: at, markers: [marker] });
  }
  let taken = left;
  return groups.map(({ x, markers }, i) => {
    const [before, after] = [x - taken, (groups[i + 1]?.x ?? right) - x].map(charactersIn);
    const anchor = (after ?? 0) >= Math.min(mostCharacters, before ?? 0) ? "start" : "end";
    const label = labelOf(markers, anchor === "start" ? after : before);
    taken = anchor === "start" ? x + besideLine + label.length * characterWidth : x;
    return { key: markers[0]?.n ?? i, x, markers, label, anchor };
  });
}

/** `14:32 moved customer 1042 from free to pro` */
function labelOf(markers: readonly Marker[], characters = 0): string {
  const [first] = markers;
  const most = Math.min(mostCharacters, characters);
  if (!first || most < timeCharacters) return "";
  if (most < leastCharacters) return clockText(first.at);
  const what = markers.length > 1 ? counted(markers.length, "change") : first.text;
  const said = `${clockText(first.at)} ${what}`;
  // What is cut ends in a sign more.
  return cleanText(said, said.length <= most ? most : most - 1).text;
}

function charactersIn(width: number): number {
  return Math.max(0, Math.floor((width - besideLine) / characterWidth));
}
