"use client";

import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { PhrasePart } from "@/lib/queries/audit.ts";
import { TargetLink } from "./target-link.tsx";

const longest = 80;

/** Words of ours, with what others have written shown as such. Addresses and customers lead to what else happened to them. */
export function Sentence({ pieces, isPlain = false }: { pieces: readonly PhrasePart[]; isPlain?: boolean }) {
  return pieces.map((piece, i) => {
    // A sentence never changes the order of its pieces.
    const key = `${i}`;
    if (typeof piece === "string") return <span key={key}>{piece}</span>;
    if (piece.is === "name" || isPlain) return <Untrusted key={key} text={piece.text} max={longest} />;
    return <TargetLink key={key} target={piece.text} isMono={piece.is === "address"} />;
  });
}
