import { cleanText } from "@/components/ui/untrusted-text.ts";
import { minuteText } from "@/components/ui/value-text.ts";
import type { Marker } from "@/lib/queries/markers.ts";
import { textWidth } from "./text-width.ts";

/** A mark for one change, or for several at almost the same time. */
export interface PlacedChange {
  readonly key: number;
  /** Position of the line, in px. */
  readonly x: number;
  /** Oldest first. */
  readonly markers: readonly Marker[];
  /** Longest label that fits beside the line. */
  readonly label: string;
  /** Width of the label, in px. */
  readonly width: number;
  readonly side: "left" | "right";
}

interface Lane {
  readonly left: number;
  readonly right: number;
  x(at: number): number | undefined;
}

interface Group {
  readonly x: number;
  readonly markers: Marker[];
}

/** Minimum width of each mark, for `20:40` or `23 changes`. In px. */
const together = 86;
/** Gap between a line and its label, and between the label and the next line. In px. */
export const beside = 8;
const gap = 10;
const mostCharacters = 48;
/** Minimum length of a cut sentence. */
const leastCharacters = 22;

/** Places lines, and chooses labels that do not overlap. */
export function placeChanges(markers: readonly Marker[], { left, right, x }: Lane): PlacedChange[] {
  const groups: Group[] = [];
  for (const marker of markers.toSorted((a, b) => a.at - b.at)) {
    const at = x(marker.at);
    if (at === undefined || at < left || at > right) continue;
    const last = groups.at(-1);
    if (last && at - last.x < together) last.markers.push(marker);
    else groups.push({ x: at, markers: [marker] });
  }
  const flipped = flippedLast(groups, left, right);
  const placed = groups.map((group, i): PlacedChange => {
    const next = groups[i + 1]?.x ?? right + gap;
    const ends = flipped && i === groups.length - 2 ? next - beside - flipped.width : next;
    return place(group, "right", ends - group.x - beside - gap);
  });
  return flipped ? [...placed.slice(0, -1), flipped] : placed;
}

/**
 * The last change, with its label on the left if there is no room on the right. Without room on both sides, it joins the change
 * before it.
 */
function flippedLast(groups: Group[], left: number, right: number): PlacedChange | undefined {
  const last = groups.at(-1);
  if (!last || right - last.x - beside >= leastWidth(last, 1)) return undefined;
  const before = groups.at(-2);
  const taken = before ? before.x + beside + leastWidth(before, 0) + gap : left;
  const room = last.x - beside - taken;
  if (room >= leastWidth(last, 0) || !before) return place(last, "left", room);
  before.markers.push(...last.markers);
  groups.pop();
  return flippedLast(groups, left, right);
}

function place({ x, markers }: Group, side: "left" | "right", room: number): PlacedChange {
  const label = fitting(markers, room);
  return { key: markers[0]?.n ?? 0, x, markers, label, width: Math.min(room, textWidth(label)), side };
}

/** @param rank 0 for the shortest label, 1 for the next longer one */
function leastWidth({ markers }: Group, rank: 0 | 1): number {
  const labels = labelsOf(markers);
  return textWidth(labels.at(-1 - rank) ?? labels[0] ?? "");
}

function fitting(markers: readonly Marker[], room: number): string {
  const labels = labelsOf(markers);
  const [longest = ""] = labels;
  if (textWidth(longest) <= room) return longest;
  const most = Math.floor((longest.length * room) / textWidth(longest)) - 1;
  // A cut sentence, if long enough, says more than the short label.
  if (markers.length === 1 && most >= leastCharacters) return cleanText(longest, most).text;
  return labels.find((label) => textWidth(label) <= room) ?? labels.at(-1) ?? "";
}

/** Labels, the longest first: `14:32 moved customer 1042 to pro`, `14:32 customer tier`, `14:32`. */
function labelsOf(markers: readonly Marker[]): string[] {
  const [first, ...others] = markers;
  if (!first) return [];
  const time = minuteText(first.at);
  if (others.length === 0)
    return [`${time} ${cleanText(first.text, mostCharacters).text}`, `${time} ${first.short}`, time];
  const counts = new Map<string, number>();
  for (const { short } of markers) counts.set(short, (counts.get(short) ?? 0) + 1);
  const words = [...counts].map(([word, count]) => (count > 1 ? `${word} ×${count}` : word));
  return [
    ...(words.length <= 3 ? [`${time} ${words.join(", ")}`] : []),
    `${time} ${markers.length} changes`,
    `${markers.length} changes`,
  ];
}
