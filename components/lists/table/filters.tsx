import { Search, X } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { StaleNote, useStaleSince } from "@/components/console/read-state.tsx";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { useLatest } from "@/components/console/use-latest.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { type Facet, facets } from "@/lib/queries/entries.ts";
import { sayKnownHits } from "../hits-words.ts";
import { type ListUrl, withFacet, withSearch, withTag } from "../list-url.ts";
import { placesOf } from "../list-words.ts";
import type { ListRows } from "../rows/row-windows.ts";
import { TagFilter } from "../tags/tag-filter.tsx";

const names: Readonly<Record<Facet, string>> = {
  all: "All",
  expiring: "Expiring in 24 h",
  mine: "Added by me",
  ranges: "Ranges",
  permanent: "Permanent",
  foreign: "External or not enforced",
};
const pauseMs = 200;

interface FiltersProps {
  readonly url: ListUrl;
  readonly rows: ListRows;
  /** The visible rows: the first, and the one after the last. */
  readonly first: number;
  readonly last: number;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly onChange: (url: ListUrl) => void;
}

/** Filters and search of the list. */
export function Filters({ url, rows, first, last, searchRef, onChange }: FiltersProps) {
  const page = rows.read.data;
  return (
    <>
      <Facets {...{ url, rows, first, last, searchRef, onChange }} />
      {page && page.total > 0 && <p className="text-meta text-text-3">{sayKnownHits(page.hits, url.sort)}</p>}
    </>
  );
}

function Facets({ url, rows, first, last, searchRef, onChange }: FiltersProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
      <SearchBox url={url} searchRef={searchRef} onChange={onChange} />
      <fieldset className="flex min-w-0 items-center gap-2 max-sm:-mx-4 max-sm:w-[calc(100%+2rem)] max-sm:overflow-x-auto max-sm:px-4 sm:flex-wrap">
        <legend className="sr-only">Show</legend>
        {facets.map((facet) => (
          <Chip
            key={facet}
            isOn={url.facet === facet}
            count={rows.read.data?.facets[facet]}
            onClick={() => onChange(withFacet(url, facet))}
          >
            {names[facet]}
          </Chip>
        ))}
        <TagFilter
          tag={url.tag}
          tags={rows.read.data?.tags}
          onChange={(tag) => onChange(withTag(url, tag))}
        />
      </fieldset>
      <div className="ml-auto flex flex-wrap items-center justify-end gap-2 text-cell text-text-3">
        <Freshness rows={rows} first={first} last={last} />
      </div>
    </div>
  );
}

function SearchBox({ url, searchRef, onChange }: Pick<FiltersProps, "url" | "searchRef" | "onChange">) {
  const [typed, setTyped] = useTyped(url, onChange);
  return (
    <span className="relative w-66 max-sm:w-full">
      <Input
        ref={searchRef}
        type="search"
        aria-label="Search the list"
        placeholder="IP, CIDR, reason, person or tag"
        icon={<Search />}
        value={typed}
        maxLength={200}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && setTyped("")}
      />
      <span className="absolute top-1/2 right-1.5 -translate-y-1/2">
        {typed === "" ? (
          <Kbd className="pointer-events-none text-text-3 max-sm:hidden">{kbdOf("search")}</Kbd>
        ) : (
          <IconButton label="Clear the search" size="sm" icon={<X />} onClick={() => setTyped("")} />
        )}
      </span>
    </span>
  );
}

/** Search text, which is used after a pause. Back and links replace the text in the box. */
function useTyped(url: ListUrl, onChange: (url: ListUrl) => void) {
  const [typed, setTyped] = useState(url.q);
  const latest = useLatest({ url, onChange });
  useEffect(() => setTyped(url.q), [url.q]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const { url, onChange } = latest.current;
      if (typed !== url.q) onChange(withSearch(url, typed));
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [typed, latest]);
  return [typed, setTyped] as const;
}

/** Age in ms from which the console's copy is reported as stale. */
const oldMs = 15_000;

/** Numbers of the visible rows, and whether they are up to date. */
export function Freshness({ rows, first, last }: Pick<FiltersProps, "rows" | "first" | "last">) {
  const { data: page, error, refetch } = rows.read;
  const staleSince = useStaleSince(rows.read);
  return (
    <>
      {staleSince !== undefined && <StaleNote since={staleSince} onRetry={refetch} />}
      {!error && page && page.ageMs > oldMs && (
        <Badge tone="throttled">{`Stale: the console's copy is ${durationText(page.ageMs)} old`}</Badge>
      )}
      {page && !page.isComplete && <Badge tone="plain">still loading, counts grow</Badge>}
      <span className="whitespace-nowrap">{page && placesOf(first, last, rows.count)}</span>
    </>
  );
}
