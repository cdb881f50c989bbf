"use client";

import { Ban, SearchX, ShieldCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { EmptyState } from "../../../../components/ui/empty-state.tsx";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { type ListUrl, plainUrl } from "../list-url.ts";
import { wordsOf } from "../list-words.ts";
import type { ListRows } from "./use-rows.ts";

interface NoRowsProps {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly rows: ListRows;
  readonly mayChange: boolean;
  readonly onChange: (url: ListUrl) => void;
  readonly onAdd: () => void;
}

/** In place of rows: none can be read, none are there, or none match. */
export function NoRows({ list, url, rows: { error, page, retry }, mayChange, onChange, onAdd }: NoRowsProps) {
  if (!page) {
    return (
      <Frame>
        <EmptyState
          icon={<TriangleAlert />}
          title={`The ${list} cannot be read now`}
          hint={`${error?.message ?? ""} It is asked again every few seconds; nodes go on with their own copy.`}
          action={<Button onClick={retry}>Try again</Button>}
        />
      </Frame>
    );
  }
  if (url.q !== "" || url.facet !== "all") {
    return (
      <Frame>
        <EmptyState
          icon={<SearchX />}
          title={page.covering ? `Nothing on the ${list} covers ${url.q.trim()}` : "Nothing matches"}
          hint={noMatch(url, page.covering !== undefined)}
          action={<Button onClick={() => onChange(plainUrl)}>Show all entries</Button>}
        />
      </Frame>
    );
  }
  const { empty, emptyHint } = wordsOf[list];
  return (
    <Frame>
      <EmptyState
        icon={list === "blocklist" ? <Ban /> : <ShieldCheck />}
        title={empty}
        hint={emptyHint}
        action={
          mayChange && (
            <Button kbd="A" onClick={onAdd}>
              Add the first
            </Button>
          )
        }
      />
    </Frame>
  );
}

function noMatch({ q, facet }: ListUrl, isAddress: boolean): string {
  if (isAddress) return "Neither the address itself nor a range around it is listed.";
  if (q === "") return facet === "expiring" ? "No entry ends within 24 hours." : "No entry is of this kind.";
  return "An address finds the ranges that cover it; other text is looked for in addresses, reasons and names.";
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="rounded-card border border-border bg-surface">{children}</div>;
}
