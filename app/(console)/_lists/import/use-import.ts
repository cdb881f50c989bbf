"use client";

import { useCallback, useRef, useState } from "react";
import type { LinesPreview } from "../../../../lib/lists/preview.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { importText, previewLines } from "../../../_actions/lists.ts";
import { answered, inSteps, inTurn, type Total } from "../in-steps.ts";
import { type Chunk, chunksOf } from "./file-chunks.ts";
import { merged } from "./merged-preview.ts";

/** A file that is larger wants another way in: the command line takes any. */
const mostBytes = 20_000_000;

interface Piece {
  readonly chunk: Chunk;
  readonly preview: LinesPreview;
}

export interface ImportOptions {
  readonly ttlMs: number | null;
  readonly reason: string;
  readonly confirmed: readonly string[];
}

export type ImportState =
  /** With a name: a file that was chosen, and could not be looked at. */
  | { readonly at: "choosing"; readonly problem?: string; readonly name?: string }
  | { readonly at: "looking"; readonly name: string; readonly done: number; readonly of: number }
  | { readonly at: "seen"; readonly name: string; readonly preview: LinesPreview; readonly problem?: string }
  | { readonly at: "writing"; readonly name: string; readonly done: number; readonly of: number }
  | { readonly at: "written"; readonly name: string; readonly total: Total };

/** A file, piece by piece: first what all of it would do, then doing it. */
export function useImport(list: ListName) {
  const [state, setState] = useState<ImportState>({ at: "choosing" });
  const file = useRef<{ name: string; chunks: readonly Chunk[] }>({ name: "", chunks: [] });
  const pieces = useRef<readonly Piece[]>([]);
  const turn = useRef(0);

  const look = useCallback(
    async (options: ImportOptions) => {
      turn.current += 1;
      const mine = turn.current;
      const { name, chunks } = file.current;
      const seen: Piece[] = [];
      for (const chunk of chunks) {
        setState({ at: "looking", name, done: seen.length, of: chunks.length });
        const result = await answered(() => previewLines(inputOf(list, options, chunk)));
        if (turn.current !== mine) return;
        if (!result.ok) return setState({ at: "choosing", name, problem: result.error.message });
        seen.push({ chunk, preview: result.value });
      }
      pieces.current = seen;
      setState({
        at: "seen",
        name,
        preview: merged(seen.map(({ chunk: { firstLine }, preview }) => ({ firstLine, preview }))),
      });
    },
    [list],
  );
  const choose = useCallback(
    async (chosen: File, options: ImportOptions) => {
      if (chosen.size > mostBytes) return setState({ at: "choosing", problem: tooLarge });
      file.current = { name: chosen.name, chunks: chunksOf(await chosen.text()) };
      if (file.current.chunks.length === 0)
        return setState({ at: "choosing", problem: "The file is empty." });
      return look(options);
    },
    [look],
  );
  const write = useCallback(
    async (options: ImportOptions) => {
      const { name } = file.current;
      const wanted = pieces.current.filter(({ preview }) => preview.willWrite.length > 0);
      const of = wanted.reduce((sum, { preview }) => sum + preview.willWrite.length, 0);
      const tell = (done: number) => setState({ at: "writing", name, done, of });
      const total = await writePieces(list, wanted, options, tell);
      setState({ at: "written", name, total });
      return total;
    },
    [list],
  );
  const reset = useCallback(() => {
    turn.current += 1;
    setState({ at: "choosing" });
  }, []);
  return { state, choose, look, write, reset };
}

const tooLarge = "The file is larger than 20 MB. Import it with the command line: sluice blocklist import.";

async function writePieces(
  list: ListName,
  pieces: readonly Piece[],
  options: ImportOptions,
  tell: (done: number) => void,
): Promise<Total> {
  let before = 0;
  tell(before);
  return inTurn(pieces, async ({ chunk, preview }) => {
    const input = { ...inputOf(list, options, chunk), expected: [...preview.willWrite] };
    const part = await inSteps(
      (after) => importText({ ...input, after }),
      (done) => tell(before + done),
    );
    before += part.done;
    return part;
  });
}

function inputOf(list: ListName, options: ImportOptions, { text }: Chunk) {
  const { ttlMs, reason, confirmed } = options;
  return { list, text, ttlMs, reason, confirmed: [...confirmed] };
}
