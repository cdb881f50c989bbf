"use client";

import { CircleHelp, Search, ShieldCheck } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useState } from "react";
import { ReadState } from "@/components/console/read-state.tsx";
import { RowsSkeleton } from "@/components/console/skeletons.tsx";
import { useTypedSearch } from "@/components/console/use-typed-search.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Input } from "@/components/ui/input.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { rolesThatMay } from "@/lib/manage/users/roles.ts";
import type { EdgeReply, LimitedClient, LimitedReply } from "@/lib/queries/edge.ts";
import { hindranceOf } from "./edge-words.ts";
import { LetInBar, useLetIn } from "./let-in.tsx";
import { readSearch } from "./limited-read.ts";
import { LimitedTable } from "./limited-table.tsx";
import { useLimited } from "./use-limited.ts";

export type Chosen = ReadonlyMap<string, LimitedClient>;

/** Clients that the edge denies, most requests first, with a button to let them in. */
export function LimitedCard({ edge, mayLetIn }: { edge: EdgeReply; mayLetIn: boolean }) {
  const path = usePathname();
  const q = readSearch(useSearchParams());
  const [typed, type] = useTypedSearch(q, readSearch, (next) =>
    window.history.replaceState(
      null,
      "",
      `${path}${next === "" ? "" : `?${new URLSearchParams({ q: next })}`}`,
    ),
  );
  const found = useLimited(q);
  const lettingIn = useLetIn(edge);
  const [chosen, choose] = useState<Chosen>(new Map());
  const isEmpty = found.held.count === 0;
  const title = hindranceOf(edge) === undefined ? "Denied clients" : "Would be denied";
  return (
    <Card
      title={title}
      hint={sayHint(edge, found.page, mayLetIn)}
      actions={
        <Input
          aria-label="Search denied clients"
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
      }
      isFlush
    >
      <ReadState
        read={found.read}
        name="the limited clients"
        skeleton={<RowsSkeleton rows={5} columns={[2, 5, 2, 3, 2]} rowHeight={46} hasHead />}
        unknown={() => (isEmpty && q === "" && edge.isStale ? <SyncStopped /> : undefined)}
        empty={() => (isEmpty ? <NoLimited {...{ q, edge }} onAll={() => type("")} /> : undefined)}
        isInset
      >
        {() => <LimitedTable {...{ q, title, found, mayLetIn, lettingIn, chosen, choose }} />}
      </ReadState>
      {mayLetIn && <LetInBar {...{ chosen, choose, lettingIn, edge }} />}
    </Card>
  );
}

function sayHint({ last, coolDownMinutes }: EdgeReply, page: LimitedReply | undefined, mayLetIn: boolean) {
  const total = page?.total ?? 0;
  const all = last && last.found > last.kept ? ` of ${countText(last.found)} with the most requests` : "";
  const said = [
    page &&
      (page.matching === total
        ? `${countText(total)}${all}`
        : `${countText(page.matching)} of ${countText(total)}`),
    `let in ${coolDownMinutes} min after the last minute over the limit`,
    !mayLetIn && `${rolesThatMay("clear-edge")} can let them in earlier`,
  ];
  return said.filter(Boolean).join(" · ");
}

/** Without passes, no counts are compared with limits. */
function SyncStopped() {
  return (
    <EmptyState
      icon={<CircleHelp />}
      title="Limited clients are unknown"
      hint="Edge sync is stopped. Nodes count fingerprints, but no console evaluates the counts. Check the log of the console."
    />
  );
}

function NoLimited({ q, edge, onAll }: { q: string; edge: EdgeReply; onAll: () => void }) {
  if (q !== "")
    return (
      <EmptyState
        icon={<Search />}
        title="No matches"
        hint="Searched in addresses, hosts, paths, methods and user agents."
        action={<Button onClick={onAll}>Show all</Button>}
      />
    );
  return (
    <EmptyState
      icon={<ShieldCheck />}
      title="No clients over the edge limit"
      hint={`Clients that request one path too often in a minute, and known tools, are listed here${hindranceOf(edge) ? "" : " and denied by the edge"}.`}
    />
  );
}
