import { Ban, SearchX, ShieldCheck } from "lucide-react";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import type { EntriesPage } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { type ListUrl, plainUrl } from "../list-url.ts";
import { wordsOf } from "../list-words.ts";

interface NoRowsProps {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly page: EntriesPage;
  readonly mayChange: boolean;
  readonly onChange: (url: ListUrl) => void;
  readonly onAdd: () => void;
}

/** Shown without rows: the list is empty, or no entry matches. */
export function NoRows({ list, url, page, mayChange, onChange, onAdd }: NoRowsProps) {
  if (url.q !== "" || url.facet !== "all" || url.tag !== "") {
    return (
      <EmptyState
        icon={<SearchX />}
        title={page.covering ? `No entry on the ${list} covers ${url.q.trim()}` : "No entry matches"}
        hint={noMatch(url, page.covering !== undefined)}
        action={<Button onClick={() => onChange(plainUrl)}>Show all entries</Button>}
      />
    );
  }
  const { empty, emptyHint } = wordsOf[list];
  return (
    <EmptyState
      icon={list === "blocklist" ? <Ban /> : <ShieldCheck />}
      title={empty}
      hint={emptyHint}
      action={
        mayChange && (
          <Button kbd={kbdOf("add")} onClick={onAdd}>
            Add the first
          </Button>
        )
      }
    />
  );
}

function noMatch({ q, facet, tag }: ListUrl, isAddress: boolean): string {
  if (tag !== "") return `No entry with the tag ${tag} is in this filter.`;
  if (isAddress) return "Neither the address nor a range around it is on the list.";
  if (q === "")
    return facet === "expiring" ? "No entry expires within 24 h." : "No entry matches this filter.";
  return "An address finds the ranges that cover it. Other text is searched in addresses, reasons, names and tags.";
}
