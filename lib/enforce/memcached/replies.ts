/** memcached's reply to one command, by its text protocol. */
export interface MemcachedReply {
  /** Its first line, without the line end. */
  readonly line: string;
  /** The value of the key, one character a byte. */
  readonly data?: string;
}

interface ParsedReply {
  readonly reply: MemcachedReply;
  /** Where the next reply begins. */
  readonly next: number;
}

const end = "\r\n";
const afterData = `${end}END${end}`;
/** No line of memcached's is longer: its longest holds a key of 250 bytes. */
const longestLine = 2_048;

/** The reply that begins at a place of the text so far. Undefined while its end is missing. */
export function parseReply(text: string, from: number): ParsedReply | undefined {
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

const garbled: MemcachedReply = { line: "something that is not memcached's protocol" };

/** Reads a reply as its command expects it. Each throws on a reply that belongs to another command. */
export const read = {
  count({ line }: MemcachedReply): number | undefined {
    if (line === "NOT_FOUND") return undefined;
    if (/^\d+$/.test(line)) return Number(line);
    throw outOfStep(line);
  },
  isStored({ line }: MemcachedReply): boolean {
    if (line === "STORED") return true;
    if (line === "NOT_STORED") return false;
    throw outOfStep(line);
  },
  value({ line, data }: MemcachedReply): string | undefined {
    if (data !== undefined || line === "END") return data;
    throw outOfStep(line);
  },
  version({ line }: MemcachedReply): void {
    if (!line.startsWith("VERSION ")) throw outOfStep(line);
  },
} as const;

/** The reply to a refused command. The commands after it are answered as usual. */
export const isRefusal = ({ line }: MemcachedReply): boolean =>
  line.startsWith("SERVER_ERROR") || line.startsWith("CLIENT_ERROR cannot increment or decrement");

const outOfStep = (line: string): Error => new Error(`it answered "${line.slice(0, 80)}"`);
