"use client";

import { CircleHelp, Search, ShieldCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Card } from "../../../../components/ui/card.tsx";
import { countText } from "../../../../components/ui/count-text.ts";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import { Skeleton } from "../../../../components/ui/skeleton.tsx";
import { rolesThatMay } from "../../../../lib/auth/roles.ts";
import type { EdgeReply, LimitedClient } from "../../../../lib/queries/edge.ts";
import { hindranceOf } from "../edge-words.ts";
import { useSearch } from "./edge-url.ts";
import { LetInBar } from "./let-in-bar.tsx";
import { LimitedTable } from "./limited-table.tsx";
import { useLetIn } from "./use-let-in.tsx";
import { type LimitedNow, useLimited } from "./use-limited.ts";

export type Chosen = ReadonlyMap<string, LimitedClient>;

/** Whom the edge turns away, worst first, and the way to let them in again. */
export function LimitedCard({ edge, mayLetIn }: { edge: EdgeReply; mayLetIn: boolean }) {
  const { q, typed, type } = useSearch();
  const found = useLimited(q);
  const lettingIn = useLetIn(edge);
  const [chosen, choose] = useState<Chosen>(new Map());
  const title = hindranceOf(edge) === undefined ? "Turned away" : "Would be turned away";
  return (
    <Card
      title={title}
      hint={<Hint edge={edge} found={found} mayLetIn={mayLetIn} />}
      actions={<SearchBox typed={typed} type={type} />}
      isFlush
    >
      <Found {...{ q, edge, found }} onAll={() => type("")}>
        <LimitedTable {...{ q, title, found, mayLetIn, lettingIn, chosen, choose }} />
      </Found>
      {mayLetIn && <LetInBar {...{ chosen, choose, lettingIn, edge }} />}
    </Card>
  );
}

function SearchBox({ typed, type }: { typed: string; type: (text: string) => void }) {
  return (
    <Input
      aria-label="Search who is turned away"
      icon={<Search />}
      placeholder="IP, path or user agent"
      type="search"
      maxLength={200}
      spellCheck={false}
      autoCapitalize="none"
      value={typed}
      onChange={({ target }) => type(target.value)}
      className="w-64 max-sm:w-[calc(100vw-62px)]"
    />
  );
}

interface HintProps {
  edge: EdgeReply;
  found: LimitedNow;
  mayLetIn: boolean;
}

function Hint({ edge: { last, coolDownMinutes }, found: { page, isHeld }, mayLetIn }: HintProps) {
  const total = page?.total ?? 0;
  const all = last && last.found > last.kept ? ` of ${countText(last.found)}: the worst` : "";
  const said = [
    page &&
      (page.matching === total
        ? `${countText(total)}${all}`
        : `${countText(page.matching)} of ${countText(total)}`),
    `let in ${coolDownMinutes} min after the last minute over the limit`,
    !mayLetIn && `${rolesThatMay("clear-edge")} can let them in before`,
    isHeld && total > 0 && "held still",
  ];
  return said.filter(Boolean).join(" · ");
}

interface FoundProps {
  q: string;
  edge: EdgeReply;
  found: LimitedNow;
  onAll: () => void;
  children: ReactNode;
}

/** The rows, or why there are none. */
function Found({ q, edge, found: { page, error, ask }, onAll, children }: FoundProps) {
  if (!page && error)
    return (
      <EmptyState
        icon={<TriangleAlert />}
        title="Who is turned away cannot be read now"
        hint={error.message}
        action={<Button onClick={ask}>Try again</Button>}
      />
    );
  if (!page)
    return (
      <div aria-busy="true" className="px-3.5 pb-4">
        <Skeleton className="h-32 w-full" />
      </div>
    );
  if (page.matching > 0) return children;
  if (q !== "")
    return (
      <EmptyState
        icon={<Search />}
        title="Nobody who is turned away is found"
        hint="Looked for in addresses, hosts, paths, methods and user agents."
        action={<Button onClick={onAll}>Show all</Button>}
      />
    );
  if (edge.isStale)
    return (
      <EmptyState
        icon={<CircleHelp />}
        title="Who comes too often is not known"
        hint="The fleet counts, but nobody sweeps what it has counted."
      />
    );
  return (
    <EmptyState
      icon={<ShieldCheck />}
      title="Nobody comes too often"
      hint={`Whoever asks for one path too often in a minute, or is a known tool, stands here${hindranceOf(edge) ? "" : ", and is answered by the edge"}.`}
    />
  );
}
