import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { PhrasePart } from "@/lib/queries/audit.ts";
import { everything, writeAuditUrl } from "../filters/audit-url.ts";

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

/** Leads to all that happened to an address or a customer. */
export function TargetLink({ target, isMono }: { target: string; isMono: boolean }) {
  return (
    <TextLink
      href={`/audit${writeAuditUrl({ ...everything, target: target.slice(0, 200) })}`}
      className={isMono ? "font-mono text-text" : "text-text"}
    >
      <Untrusted text={target} max={longest} />
    </TextLink>
  );
}
