import { useRef, useState } from "react";
import type { Total } from "@/components/console/in-steps.ts";
import { useTellChange } from "@/components/console/use-tell-change.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { LinesPreview } from "@/lib/manage/lists/previewed-lines.ts";
import { areSameTags, parseTags } from "@/lib/manage/lists/tags.ts";
import { linesPreview } from "@/lib/queries/preview.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { aWeek, type Expiry, ttlOf } from "../composer/expiry.ts";
import { type ImportOptions, inputOf, writePieces } from "../write-lines.ts";
import { type Chunk, chunksOf, merged, type Piece } from "./file-chunks.ts";

/** Largest file in bytes. The command line imports files of any size. */
const mostBytes = 20_000_000;
const tooLarge = "The file is larger than 20 MB. Import it with the command line: sluice blocklist import.";

type ImportState =
  /** Has a name after the check of a chosen file has failed. */
  | { readonly at: "choosing"; readonly problem?: string; readonly name?: string }
  | { readonly at: "looking" | "writing"; readonly name: string; readonly done: number; readonly of: number }
  | { readonly at: "seen"; readonly preview: LinesPreview }
  | { readonly at: "written"; readonly total: Total };

export type Importing = ReturnType<typeof useImport>;

/** Import of a file, piece by piece: first the preview of all pieces, then the write. */
export function useImport(list: ListName, mayForever: boolean) {
  const [state, setState] = useState<ImportState>({ at: "choosing" });
  const [expiry, setExpiry] = useState<Expiry>(aWeek);
  const [reason, setReason] = useState("");
  const [tagText, setTagText] = useState("");
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const [withCustomers, setWithCustomers] = useState<readonly string[]>([]);
  const tell = useTellChange();
  const file = useRef<{ name: string; chunks: readonly Chunk[] }>({ name: "", chunks: [] });
  const pieces = useRef<readonly Piece[]>([]);
  /** Tags of the last preview. */
  const seenTags = useRef<readonly string[]>([]);
  const looking = useRef<AbortController>(undefined);
  const ttl = ttlOf(expiry, mayForever);
  const tags = parseTags(tagText);
  const options: ImportOptions = {
    ...{ ttlMs: ttl.ok ? ttl.value : null, tags: tags.ok ? tags.value : [] },
    ...{ reason, confirmed, withCustomers },
  };

  /** Checks the file. Another duration or a confirmed range changes its effect. */
  const look = async (changed: Partial<ImportOptions> = {}) => {
    looking.current?.abort();
    const controller = new AbortController();
    looking.current = controller;
    const { signal } = controller;
    const { name, chunks } = file.current;
    const seen: Piece[] = [];
    seenTags.current = options.tags;
    for (const chunk of chunks) {
      setState({ at: "looking", name, done: seen.length, of: chunks.length });
      try {
        const input = inputOf(list, { ...options, ...changed }, chunk);
        seen.push({
          chunk,
          preview: await linesPreview({
            ...input,
            withCustomers: changed.withCustomers ?? withCustomers,
          }).queryFn({ signal }),
        });
      } catch (error) {
        if (signal.aborted) return;
        const problem = error instanceof Error ? error.message : String(error);
        return setState({ at: "choosing", name, problem });
      }
    }
    pieces.current = seen;
    setState({ at: "seen", preview: merged(seen) });
  };
  const choose = async (chosen: File) => {
    if (chosen.size > mostBytes) return setState({ at: "choosing", problem: tooLarge });
    file.current = { name: chosen.name, chunks: chunksOf(await chosen.text()) };
    setWithCustomers([]);
    if (file.current.chunks.length === 0) return setState({ at: "choosing", problem: "The file is empty." });
    return look({ withCustomers: [] });
  };
  const submit = async () => {
    const { name } = file.current;
    const wanted = pieces.current.reduce((sum, { preview }) => sum + preview.willWrite.length, 0);
    const total = await writePieces({ list, pieces: pieces.current, options, wanted }, (done) =>
      setState({ at: "writing", name, done, of: wanted }),
    );
    setState({ at: "written", total });
    const tone = list === "blocklist" ? "blocked" : "safelisted";
    tell({ tone, title: `${countText(total.done)} imported`, total });
  };
  const reset = () => {
    looking.current?.abort();
    setState({ at: "choosing" });
  };
  const changeExpiry = (next: Expiry) => {
    setExpiry(next);
    const life = ttlOf(next, mayForever);
    if (state.at === "seen" && life.ok) void look({ ttlMs: life.value });
  };
  /** Of entries that exist, other tags are a change. */
  const lookForTags = () => {
    if (state.at === "seen" && tags.ok && !areSameTags(tags.value, seenTags.current)) void look();
  };
  const confirm = (range: string) => {
    const next = [...confirmed, range];
    setConfirmed(next);
    void look({ confirmed: next });
  };
  const chooseCustomer = (address: string, isChosen: boolean) => {
    const others = withCustomers.filter((one) => one !== address);
    const next = isChosen ? [...others, address] : others;
    setWithCustomers(next);
    void look({ withCustomers: next });
  };
  return {
    chooseCustomer,
    withCustomers,
    state,
    expiry,
    reason,
    ttl,
    choose,
    look,
    submit,
    reset,
    setReason,
    tagText,
    tags,
    setTagText,
    lookForTags,
    changeExpiry,
    confirm,
  };
}
