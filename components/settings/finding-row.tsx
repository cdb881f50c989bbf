import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { classes } from "@/components/ui/classes.ts";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { DoctorFinding } from "@/lib/queries/doctor.ts";
import { findingWords } from "./finding-words.ts";

const looks = {
  problem: { tone: "blocked", word: "Problem", icon: <TriangleAlert /> },
  note: { tone: "throttled", word: "Note", icon: <CircleAlert /> },
} as const;

const mostSaid = 600;

/** A finding, its meaning and its fix. A passed check takes one line. */
export function FindingRow({ finding }: { finding: DoctorFinding }) {
  const { check, status, says, cure, details = [] } = finding;
  const { title, matters, leads } = findingWords(check);
  if (status === "ok")
    return (
      <Row isFine mark={<CircleCheck aria-label="OK" className="text-pass" />} title={title}>
        <p className="text-cell text-text-2">
          <Untrusted text={says} max={mostSaid} />
        </p>
        <Details lines={details} />
      </Row>
    );
  const { tone, word, icon } = looks[status];
  return (
    <Row
      mark={
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      }
      title={title}
    >
      <p className="text-body">
        <Untrusted text={says} max={mostSaid} />
      </p>
      {cure && (
        <Line name="What to do">
          <Untrusted text={cure} max={mostSaid} />
        </Line>
      )}
      {matters && <Line name="Why it matters">{matters}</Line>}
      <Details lines={details} />
      {leads && (
        <p className="text-cell">
          <TextLink href={leads.href}>{leads.label}</TextLink>
        </p>
      )}
    </Row>
  );
}

function Row({ mark, title, isFine = false, children }: RowProps) {
  return (
    <li
      className={classes(
        "grid items-start gap-x-3 gap-y-0.5 border-b border-border px-3.5 py-2 last:border-b-0 sm:grid-cols-[80px_120px_minmax(0,1fr)]",
        isFine ? "grid-cols-[16px_minmax(0,1fr)]" : "grid-cols-[80px_minmax(0,1fr)]",
      )}
    >
      <span className="flex min-h-4.5 items-center">{mark}</span>
      <h3 className="py-px text-cell font-semibold">{title}</h3>
      <div className="flex min-w-0 flex-col gap-1 max-sm:col-start-2">{children}</div>
    </li>
  );
}

interface RowProps {
  mark: ReactNode;
  title: string;
  isFine?: boolean;
  children: ReactNode;
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <p className="text-cell text-text-2">
      <span className="text-text-3">{name}: </span>
      {children}
    </p>
  );
}

function Details({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details className="text-cell text-text-2">
      <summary className="w-fit cursor-pointer rounded-sm py-1 max-sm:py-3.5">
        Details ({lines.length})
      </summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls has to be reached by keys.
        tabIndex={0}
        className="mt-1 flex max-h-60 flex-col gap-1 overflow-y-auto rounded-control bg-sunken p-2"
      >
        {lines.map((line) => (
          <li key={line} className="font-mono">
            <Untrusted text={line} max={mostSaid} />
          </li>
        ))}
      </ul>
    </details>
  );
}
