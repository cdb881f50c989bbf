/** What memcached's text protocol answers one command with. */
export interface Reply {
  /** Its first line, without what ends it. */
  readonly line: string;
  /** What was stored under the key, one character a byte. */
  readonly data?: string;
}

export interface Parsed {
  readonly reply: Reply;
  /** Where the next reply begins. */
  readonly next: number;
}

const end = "\r\n";
const afterData = `${end}END${end}`;
/** No line of memcached's is longer: its longest holds a key of 250 bytes. */
const longestLine = 2_048;

/** The reply that begins at a place of what has come so far; nothing while its end is missing. */
export function parseReply(text: string, from: number): Parsed | undefined {
  const lineEnd = text.indexOf(end, from);
  if (lineEnd < 0 && text.length - from > longestLine) return { reply: garbled, next: text.length };
  if (lineEnd < 0) return undefined;
  const line = text.slice(from, lineEnd);
  const start = lineEnd + end.length;
  const bytes = /^VALUE \S+ \d+ (\d+)$/.exec(line)?.[1];
  if (bytes === undefined) return { reply: { line }, next: start };
  const dataEnd = start + Number(bytes);
  const next = dataEnd + afterData.length;
  if (text.length < next) return undefined;
  const isWhole = text.startsWith(afterData, dataEnd);
  return { reply: isWhole ? { line, data: text.slice(start, dataEnd) } : garbled, next };
}

const garbled: Reply = { line: "something that is not memcached's protocol" };

/** What a command asked for, out of its reply. Each throws on a reply that belongs to another command. */
export const read = {
  count({ line }: Reply): number | undefined {
    if (line === "NOT_FOUND") return undefined;
    if (/^\d+$/.test(line)) return Number(line);
    throw outOfStep(line);
  },
  isStored({ line }: Reply): boolean {
    if (line === "STORED") return true;
    if (line === "NOT_STORED") return false;
    throw outOfStep(line);
  },
  value({ line, data }: Reply): string | undefined {
    if (data !== undefined || line === "END") return data;
    throw outOfStep(line);
  },
  version({ line }: Reply): void {
    if (!line.startsWith("VERSION ")) throw outOfStep(line);
  },
} as const;

/** A command that was refused, while those behind it will be answered in turn. */
export const isRefusal = ({ line }: Reply): boolean =>
  line.startsWith("SERVER_ERROR") || line.startsWith("CLIENT_ERROR cannot increment or decrement");

const outOfStep = (line: string): Error => new Error(`it answered "${line.slice(0, 80)}"`);
