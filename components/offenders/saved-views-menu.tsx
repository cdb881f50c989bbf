import { Bookmark, Trash2 } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Popover } from "@/components/ui/popover.tsx";
import { longestName, useSavedViews } from "./saved-views.ts";

/** Views that this browser keeps: name the current one, open and remove others. */
export function SavedViews() {
  const { views, save, remove } = useSavedViews();
  const path = usePathname();
  const search = useSearchParams().toString();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    save({ name: name.trim(), search: search === "" ? "" : `?${search}` });
    setName("");
  };
  return (
    <Popover
      label="Saved views"
      align="end"
      width={300}
      trigger={
        <Button variant="ghost" icon={<Bookmark />}>
          {views.length > 0 ? `Views (${views.length})` : "Save view"}
        </Button>
      }
    >
      {views.length > 0 && (
        <ul aria-label="Saved views" className="mb-3 flex flex-col gap-0.5 border-b border-border pb-2">
          {views.map((view) => (
            <li key={view.name} className="flex items-center justify-between gap-2">
              <TextLink href={`${path}${view.search}`} className="min-w-0 truncate py-1 text-cell">
                {view.name}
              </TextLink>
              <IconButton
                label={`Remove view ${view.name}`}
                size="sm"
                icon={<Trash2 />}
                onClick={() => remove(view.name)}
              />
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={submit} className="flex flex-col gap-2">
        <Field label="Name of this view" hint="kept in this browser">
          <Input value={name} maxLength={longestName} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Button type="submit" disabled={name.trim() === ""}>
          Save view
        </Button>
      </form>
    </Popover>
  );
}
