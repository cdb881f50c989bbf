import { inSteps, inTurn, type Total } from "@/components/console/in-steps.ts";
import { addLines, importText } from "@/lib/console/actions/lists.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import type { Readiness } from "./composer/use-preview.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Chunk, Piece } from "./import/file-chunks.ts";

/** Most lines of one call. */
const mostAtOnce = 10_000;

interface LinesWrite {
  readonly list: ListName;
  readonly ready: Extract<Readiness, { can: true }>;
  readonly text: string;
  readonly reason: string;
  readonly confirmed: readonly string[];
}

/** Writes the addresses that the preview has shown, and nothing else of the text. */
export function writeLines({ list, ready, text, reason, confirmed }: LinesWrite): Promise<Total> {
  const { ttlMs, tags } = ready;
  const input = { list, ttlMs, reason, confirmed: [...confirmed], tags: [...tags] };
  const of = fingerprint(text, JSON.stringify([ttlMs, confirmed, tags]));
  const wanted = ready.addresses.length;
  return inTurn(slicesOf(ready.addresses), (addresses, isLast) =>
    inSteps((after) => {
      const call = { ...input, after, part: { of, wanted, isLast } };
      return ready.saysMore
        ? importText({ ...call, text, expected: addresses })
        : addLines({ ...call, addresses });
    }),
  );
}

function slicesOf(addresses: readonly string[]): readonly string[][] {
  const count = Math.ceil(addresses.length / mostAtOnce);
  return Array.from({ length: count }, (_, i) => addresses.slice(i * mostAtOnce, (i + 1) * mostAtOnce));
}

export interface ImportOptions {
  readonly ttlMs: number | null;
  readonly reason: string;
  readonly confirmed: readonly string[];
  /** For all lines. */
  readonly tags: readonly string[];
  /** Addresses of customers that were chosen. */
  readonly withCustomers?: readonly string[];
}

interface PiecesWrite {
  readonly list: ListName;
  readonly pieces: readonly Piece[];
  readonly options: ImportOptions;
  readonly wanted: number;
}

/** Writes the addresses of the previews. The id is of the whole file: the same file continues an interrupted import. */
export async function writePieces(
  { list, pieces, options, wanted }: PiecesWrite,
  tell: (done: number) => void,
): Promise<Total> {
  let before = 0;
  tell(before);
  const { ttlMs, confirmed, tags } = options;
  const of = fingerprint(...pieces.map(({ chunk }) => chunk.text), JSON.stringify([ttlMs, confirmed, tags]));
  const wantedPieces = pieces.filter(({ preview }) => preview.willWrite.length > 0);
  return inTurn(wantedPieces, async ({ chunk, preview }, isLast) => {
    const part = { of, wanted, isLast };
    const input = { ...inputOf(list, options, chunk), expected: [...preview.willWrite], part };
    const total = await inSteps(
      (after) => importText({ ...input, after }),
      (done) => tell(before + done),
    );
    before += total.done;
    return total;
  });
}

export function inputOf(list: ListName, { ttlMs, reason, confirmed, tags }: ImportOptions, { text }: Chunk) {
  return { list, text, ttlMs, reason, confirmed: [...confirmed], tags: [...tags] };
}
