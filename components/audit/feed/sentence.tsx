import { AddressLink } from "@/components/console/address-link.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { readBlock } from "@/lib/ip/parse.ts";
import type { AuditRow, PhrasePart } from "@/lib/queries/audit.ts";
import { everything, writeAuditUrl } from "../filters/audit-url.ts";

const longest = 80;

/** Words of ours, with what others have written shown as such. Addresses lead to their page, customers to their other records. */
export function Sentence({ pieces, isPlain = false }: { pieces: readonly PhrasePart[]; isPlain?: boolean }) {
  return pieces.map((piece, i) => {
    // A sentence never changes the order of its pieces.
    const key = `${i}`;
    if (typeof piece === "string") return <span key={key}>{piece}</span>;
    if (piece.is === "name" || isPlain) return <Untrusted key={key} text={piece.text} max={longest} />;
    return <Target key={key} target={piece.text} isMono={piece.is === "address"} />;
  });
}

interface RecordSentenceProps {
  readonly row: Pick<AuditRow, "actor" | "says" | "look" | "about">;
  readonly isPlain?: boolean;
  /** Class of the actor's name. */
  readonly className?: string;
}

/** The actor, and what it did. A refused attempt is not what the actor did. */
export function RecordSentence({ row, isPlain = false, className = "" }: RecordSentenceProps) {
  const refused = row.about === "sign-in" ? "’s sign-in was refused" : "’s change was refused: ";
  return (
    <>
      <Untrusted text={row.actor} max={60} className={className} />
      {row.look === "refused" ? refused : " "}
      {!(row.look === "refused" && row.about === "sign-in") && (
        <Sentence pieces={row.says} isPlain={isPlain} />
      )}
    </>
  );
}

/** Entries of a record that the search found: "includes 192.0.2.30 and 2 more". */
export function Hits({ hits: { first, more, isLeast } }: { hits: NonNullable<AuditRow["hits"]> }) {
  return (
    <p className="text-cell text-text-2">
      includes{" "}
      {first.map((target, i) => (
        <span key={target}>
          {i > 0 && (i === first.length - 1 && more === 0 ? " and " : ", ")}
          <Target target={target} isMono />
        </span>
      ))}
      {more > 0 && ` and ${isLeast ? "at least " : ""}${countText(more)} more`}
    </p>
  );
}

/** Leads to the page of an address, or to all that happened to another target. */
export function Target({ target, isMono }: { target: string; isMono: boolean }) {
  if (isMono && readBlock(target))
    return <AddressLink address={target} max={longest} className="font-mono text-text" isInSentence />;
  return (
    <TextLink
      href={`/audit${writeAuditUrl({ ...everything, target: target.slice(0, 200) })}`}
      className={isMono ? "font-mono text-text" : "text-text"}
    >
      <Untrusted text={target} max={longest} />
    </TextLink>
  );
}
