import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { suggestionsOf, type TypedLine } from "./typed-lines.ts";
import { SignIcon, signs, verdictOf } from "./verdicts.tsx";

interface LineVerdictProps {
  readonly line: TypedLine;
  readonly number: number;
  readonly onUse: (to: string) => void;
}

/** What becomes of a line, at its end. A suggestion is a button. */
export function LineVerdict({ line, number, onUse }: LineVerdictProps) {
  if (line.isWaiting) return <Skeleton className="ml-auto h-3 w-14" />;
  const verdict = verdictOf(line);
  if (!verdict) return null;
  const { sign, word } = verdict;
  const title = line.judged.map(({ message }) => message).join("\n");
  const suggested = suggestionsOf(line);
  const content = (
    <>
      <SignIcon sign={sign} className="shrink-0 [&_.lucide]:size-3.5" />
      <span className="sr-only">{`Line ${number}: `}</span>
      <span className={classes("truncate", sign === "add" && "text-text-2")}>{word}</span>
    </>
  );
  const look = "inline-flex h-6 max-w-full items-center gap-1";
  return suggested.length > 0 ? (
    <button
      type="button"
      title={title}
      onClick={() => onUse(suggested.join("\n"))}
      className={classes(look, "rounded-control px-1 text-text hover:bg-raised")}
    >
      {content}
    </button>
  ) : (
    <span title={title} className={classes(look, signs[sign].colour)}>
      {content}
    </span>
  );
}
