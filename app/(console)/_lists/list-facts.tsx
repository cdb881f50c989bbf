"use client";

import { useStanding } from "../../../components/shell/status.tsx";
import { counted } from "../../../components/ui/count-text.ts";
import type { ListName } from "../../../lib/redis/keys.ts";
import { wordsOf } from "./list-words.ts";

/** "1,204 entries · in force on 6 of 6 nodes · answered with 403" */
export function ListFacts({ list, total }: { list: ListName; total: number | undefined }) {
  const { known, trouble } = useStanding();
  const nodes = known?.nodes ?? [];
  const inSync = nodes.filter(({ isInSync }) => isInSync).length;
  const facts = [
    ...(total === undefined ? [] : [counted(total, "entry", "entries")]),
    ...(nodes.length > 0 && !trouble ? [`in force on ${inSync} of ${counted(nodes.length, "node")}`] : []),
    wordsOf[list].effect,
  ];
  return <span>{facts.join(" · ")}</span>;
}
