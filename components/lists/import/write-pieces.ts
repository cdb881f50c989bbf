import { inSteps, inTurn, type Total } from "@/components/console/in-steps.ts";
import { importText } from "@/lib/console/actions/lists.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { fingerprint } from "../fingerprint.ts";
import type { Chunk } from "./file-chunks.ts";

export interface Piece {
  readonly chunk: Chunk;
  readonly preview: LinesPreview;
}

export interface ImportOptions {
  readonly ttlMs: number | null;
  readonly reason: string;
  readonly confirmed: readonly string[];
}

interface Writing {
  readonly list: ListName;
  readonly pieces: readonly Piece[];
  readonly options: ImportOptions;
  readonly wanted: number;
}

/** Writes the addresses of the previews. The id is of the whole file: the same file continues an interrupted import. */
export async function writePieces(
  { list, pieces, options, wanted }: Writing,
  tell: (done: number) => void,
): Promise<Total> {
  let before = 0;
  tell(before);
  const { ttlMs, confirmed } = options;
  const of = fingerprint(...pieces.map(({ chunk }) => chunk.text), JSON.stringify([ttlMs, confirmed]));
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

export function inputOf(list: ListName, options: ImportOptions, { text }: Chunk) {
  const { ttlMs, reason, confirmed } = options;
  return { list, text, ttlMs, reason, confirmed: [...confirmed] };
}
