import { useCallback, useRef, useState } from "react";
import type { Total } from "@/components/console/in-steps.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { linesPreview } from "@/lib/queries/preview.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ImportOptions, inputOf, type Piece, writePieces } from "../write-lines.ts";
import { type Chunk, chunksOf, merged } from "./file-chunks.ts";

/** Largest file in bytes. The command line imports files of any size. */
const mostBytes = 20_000_000;

export type ImportState =
  /** Has a name after the check of a chosen file has failed. */
  | { readonly at: "choosing"; readonly problem?: string; readonly name?: string }
  | { readonly at: "looking"; readonly name: string; readonly done: number; readonly of: number }
  | { readonly at: "seen"; readonly name: string; readonly preview: LinesPreview; readonly problem?: string }
  | { readonly at: "writing"; readonly name: string; readonly done: number; readonly of: number }
  | { readonly at: "written"; readonly name: string; readonly total: Total };

/** Import of a file, piece by piece: first the preview of all pieces, then the write. */
export function useImport(list: ListName) {
  const [state, setState] = useState<ImportState>({ at: "choosing" });
  const file = useRef<{ name: string; chunks: readonly Chunk[] }>({ name: "", chunks: [] });
  const pieces = useRef<readonly Piece[]>([]);
  const looking = useRef<AbortController>(undefined);

  const look = useCallback(
    async (options: ImportOptions) => {
      looking.current?.abort();
      const controller = new AbortController();
      looking.current = controller;
      const { signal } = controller;
      const { name, chunks } = file.current;
      const seen: Piece[] = [];
      for (const chunk of chunks) {
        setState({ at: "looking", name, done: seen.length, of: chunks.length });
        try {
          seen.push({
            chunk,
            preview: await linesPreview(inputOf(list, options, chunk)).queryFn({ signal }),
          });
        } catch (error) {
          if (signal.aborted) return;
          const problem = error instanceof Error ? error.message : String(error);
          return setState({ at: "choosing", name, problem });
        }
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
      const of = pieces.current.reduce((sum, { preview }) => sum + preview.willWrite.length, 0);
      const tell = (done: number) => setState({ at: "writing", name, done, of });
      const total = await writePieces({ list, pieces: pieces.current, options, wanted: of }, tell);
      setState({ at: "written", name, total });
      return total;
    },
    [list],
  );
  const reset = useCallback(() => {
    looking.current?.abort();
    setState({ at: "choosing" });
  }, []);
  return { state, choose, look, write, reset };
}

const tooLarge = "The file is larger than 20 MB. Import it with the command line: sluice blocklist import.";
