import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { type Tone, tints } from "@/components/ui/tone.ts";
import { sayStanding, sayWish } from "../customer-words.ts";
import type { Editor } from "../draft/use-editor.ts";

export interface BoxContent {
  readonly tone: Tone;
  readonly icon: ReactNode;
  readonly value: string;
  readonly text: string;
}

interface BeforeAfterProps {
  editor: Editor;
  before: BoxContent;
  /** Left out without a draft, undefined while loading. */
  after?: BoxContent | undefined;
  isWanted: boolean;
  className?: string | undefined;
}

/** The same outcome under the limits in force, and under those of the draft. */
export function BeforeAfter({
  editor: { now, draft },
  before,
  after,
  isWanted,
  className,
}: BeforeAfterProps) {
  return (
    <div className={classes("flex items-stretch gap-2.5 px-3.5 pt-1.5 pb-3.5", className)}>
      <Box title={`${isWanted ? "Before" : "Now"}: ${sayStanding(now)}`} {...before} isPlain={isWanted} />
      {isWanted && (
        <>
          <ArrowRight aria-hidden="true" className="self-center text-text-3 max-sm:hidden" />
          {after ? <Box title={`After: ${sayWish(draft, now)}`} {...after} /> : <Waiting />}
        </>
      )}
    </div>
  );
}

function Box({ title, tone, icon, value, text, isPlain = false }: BoxProps) {
  return (
    <div
      className={classes(
        "min-w-0 flex-1 rounded-control border px-2.5 py-2",
        tints[tone],
        isPlain && "border-solid border-border-2 bg-transparent",
      )}
    >
      <p className="truncate text-cell text-text-2">{title}</p>
      <p className="flex items-center gap-1.5 text-title font-semibold wrap-anywhere tabular-nums">
        {icon}
        {value}
      </p>
      <p className="text-cell text-text-2">{text}</p>
    </div>
  );
}

interface BoxProps extends BoxContent {
  title: string;
  isPlain?: boolean;
}

function Waiting() {
  return (
    <div
      aria-busy="true"
      className="flex min-w-0 flex-1 flex-col gap-2 rounded-control border border-border p-2.5"
    >
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
    </div>
  );
}
