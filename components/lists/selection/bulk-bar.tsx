import { Clock, Download, Tag, Trash2, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { exportPath } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { unitMs } from "../composer/expiry.ts";
import type { Progress } from "../table/use-row-actions.ts";
import { countOf, csvOf, filterOf, type Selection, saveFile } from "./selection.ts";

interface BulkBarProps {
  readonly list: ListName;
  readonly selection: Selection;
  /** Number of entries that match the filter, visible or not. */
  readonly matching: number;
  readonly progress: Progress | undefined;
  readonly mayChange: boolean;
  readonly mayForever: boolean;
  readonly onAll: () => void;
  readonly onExtend: (forMs: number | null) => void;
  readonly onTag: () => void;
  readonly onRemove: () => void;
  readonly onClear: () => void;
}

/** Floats over the rows, which do not move. */
export function BulkBar(props: BulkBarProps) {
  const { selection, progress, mayChange, onClear } = props;
  const count = countOf(selection);
  if (count === 0 && !progress) return null;
  return (
    <section
      aria-label="Selection"
      className="fixed right-0 bottom-5 z-30 mx-auto flex w-fit max-w-[calc(100vw-16px)] animate-rise flex-wrap items-center justify-center gap-2 rounded-bar bg-overlay px-3.5 py-2.5 shadow-e2 max-sm:bottom-18 left-(--sidebar) xl:right-104 2xl:right-0"
    >
      <div className="flex items-center gap-2 max-lg:w-full max-lg:justify-between">
        <span role="status" className="flex items-center gap-1.5 text-body font-semibold">
          {progress && <Spinner />}
          {progress
            ? `${progress.verb} ${countText(progress.done)} of ${countText(progress.count)}`
            : `${countText(count)} selected`}
        </span>
        {!progress && <SelectAll {...props} />}
        {!progress && <Clear onClear={onClear} className="lg:hidden" />}
      </div>
      {!progress && (
        <>
          {mayChange && <ExtendMenu {...props} />}
          {mayChange && (
            <Button size="lg" icon={<Tag />} onClick={props.onTag}>
              Tag
            </Button>
          )}
          <ExportButton {...props} />
          {mayChange && (
            <Button variant="danger" size="lg" icon={<Trash2 />} onClick={props.onRemove}>
              Remove
            </Button>
          )}
          <Clear onClear={onClear} className="max-lg:hidden" />
        </>
      )}
    </section>
  );
}

function Clear({ onClear, className }: { onClear: () => void; className: string }) {
  return (
    <IconButton label="Clear the selection" size="lg" icon={<X />} onClick={onClear} className={className} />
  );
}

function SelectAll({ selection, matching, onAll }: BulkBarProps) {
  if (selection.kind === "matching" || matching <= countOf(selection)) return null;
  return (
    <Button variant="ghost" size="lg" onClick={onAll}>
      {`Select all ${countText(matching)} matching`}
    </Button>
  );
}

function ExtendMenu({ mayForever, onExtend }: BulkBarProps) {
  return (
    <Menu
      label="Extend the selection"
      align="center"
      trigger={
        <Button size="lg" icon={<Clock />}>
          Extend
        </Button>
      }
      items={[
        { label: "1 hour", onSelect: () => onExtend(unitMs.h) },
        { label: "24 hours", onSelect: () => onExtend(unitMs.d) },
        { label: "1 week", onSelect: () => onExtend(unitMs.w) },
        ...(mayForever ? [{ label: "Never expire", onSelect: () => onExtend(null) }] : []),
      ]}
    />
  );
}

function ExportButton({ list, selection }: BulkBarProps) {
  if (selection.kind === "matching") {
    const { q, ...filter } = filterOf(selection);
    const href = exportPath({ list, q: q || undefined, ...filter });
    return (
      <LinkButton size="lg" icon={<Download />} href={href} download>
        Export CSV
      </LinkButton>
    );
  }
  const save = () => saveFile(`${list}-selection.csv`, csvOf([...selection.entries.values()]));
  return (
    <Button size="lg" icon={<Download />} onClick={save}>
      Export CSV
    </Button>
  );
}
