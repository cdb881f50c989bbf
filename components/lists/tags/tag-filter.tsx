import { ChevronDown, Tag, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { Menu } from "@/components/ui/menu.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { EntriesPage } from "@/lib/queries/entries.ts";

interface TagFilterProps {
  /** The chosen tag. Empty for none. */
  readonly tag: string;
  /** Undefined while loading. */
  readonly tags: EntriesPage["tags"] | undefined;
  readonly onChange: (tag: string) => void;
}

/** Filter by one tag. Missing while no entry has one. */
export function TagFilter({ tag, tags = [], onChange }: TagFilterProps) {
  const others = tags.filter((other) => other.tag !== tag);
  return (
    <>
      {tag !== "" && (
        <Chip isOn icon={<Tag className="size-3.5" />} onClick={() => onChange("")}>
          <span className="sr-only">Tag: </span>
          <span className="font-mono">{tag}</span>
          <X className="size-3.5" aria-hidden="true" />
        </Chip>
      )}
      {others.length > 0 && (
        <Menu
          label="Filter by tag"
          align="start"
          trigger={
            <Button size="sm" icon={<Tag />}>
              {tag === "" ? "Tag" : "Other tag"}
              <ChevronDown className="size-3" />
            </Button>
          }
          items={others.map(({ tag: other, count }) => ({
            label: other,
            hint: `${countText(count)} ${count === 1 ? "entry" : "entries"}`,
            onSelect: () => onChange(other),
          }))}
        />
      )}
    </>
  );
}
