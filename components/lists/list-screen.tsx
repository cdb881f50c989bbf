"use client";

import { Download, Plus, Upload } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo, useRef, useState } from "react";
import { AskButton } from "@/components/console/ask-button.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { kbdOf } from "@/components/console/shortcuts.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useKey } from "@/components/console/use-key.ts";
import { Button } from "@/components/ui/button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { may, type Role, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { exportPath } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { Composer } from "./composer/composer.tsx";
import { isSameView, type ListUrl, readListUrl, writeListUrl } from "./list-url.ts";
import { readOnlySentence, wordsOf } from "./list-words.ts";
import { ListTable } from "./table/list-table.tsx";

/** Loaded when it is opened: no page waits for it. */
const ImportDialog = lazyDialog(() => import("./import/import-dialog.tsx").then((file) => file.ImportDialog));

/** One of the two lists: the composer on top, the entries below. */
export function ListScreen({ list, role }: { list: ListName; role: Role }) {
  const [url, setUrl] = useListUrl();
  const [isImporting, setIsImporting] = useState<boolean>();
  const [total, setTotal] = useState<number>();
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const mayChange = may(role, "lists");
  const mayForever = may(role, "lists-forever");
  const add = useCallback(() => {
    fieldRef.current?.focus();
    fieldRef.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useKey("add", add);
  return (
    <>
      <PageHeader
        title={wordsOf[list].title}
        facts={<ListFacts list={list} total={total} />}
        actions={
          <>
            {mayChange && (
              <Button icon={<Upload />} onClick={() => setIsImporting(true)}>
                Import CSV
              </Button>
            )}
            {/* Exports the filtered entries. */}
            <LinkButton
              icon={<Download />}
              href={exportPath({ list, q: url.q, facet: url.facet, tag: url.tag || undefined })}
              download
            >
              Export CSV
            </LinkButton>
            <AskButton
              needs="lists"
              {...(list === "blocklist" ? { kind: "block" } : { kind: "change", target: "the safelist" })}
            />
            {mayChange && (
              <Button variant="primary" icon={<Plus />} kbd={kbdOf("add")} onClick={add}>
                Add
              </Button>
            )}
          </>
        }
      />
      {mayChange ? (
        <Composer list={list} mayForever={mayForever} fieldRef={fieldRef} />
      ) : (
        <p className="rounded-card border border-border bg-surface px-3.5 py-2.5 text-cell text-text-2">
          {readOnlySentence(list, role, rolesThatMay("lists"))}
        </p>
      )}
      <ListTable {...{ list, url, setUrl, mayChange, mayForever, setTotal }} onAdd={add} />
      {mayChange && isImporting !== undefined && (
        <ImportDialog
          list={list}
          mayForever={mayForever}
          isOpen={isImporting}
          onClose={() => setIsImporting(false)}
        />
      )}
    </>
  );
}

/** "1,204 entries · in force on 6 of 6 nodes · answered with 403" */
function ListFacts({ list, total }: { list: ListName; total: number | undefined }) {
  const { known, trouble } = useStanding();
  const nodes = known?.nodes ?? [];
  const inSync = nodes.filter(({ isInSync }) => isInSync).length;
  const facts = [
    ...(total === undefined ? [] : [counted(total, "entry", "entries")]),
    ...(nodes.length > 0 && !trouble ? [`in force on ${inSync} of ${counted(nodes.length, "node")}`] : []),
    wordsOf[list].effect,
  ];
  return <span>{facts.join(" · ")}</span>;
}

/** View of the URL, and its setter. A change does not load the page from the server again. */
function useListUrl(): readonly [ListUrl, (next: ListUrl) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const url = useMemo(() => readListUrl(search), [search]);
  const change = useCallback(
    (next: ListUrl) => {
      const path = `${pathname}${writeListUrl(next)}`;
      // Back returns to the previous filter, not to each letter and each scroll position.
      const isStep = !isSameView(next, url) && next.q === url.q;
      if (isStep) window.history.pushState(null, "", path);
      else window.history.replaceState(null, "", path);
    },
    [pathname, url],
  );
  return [url, change];
}
