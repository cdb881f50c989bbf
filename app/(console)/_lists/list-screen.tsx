"use client";

import { Download, Plus, Upload } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { LinkButton } from "../../../components/ui/link-button.tsx";
import { PageHeader } from "../../../components/ui/page-header.tsx";
import { may, type Role, rolesThatMay } from "../../../lib/auth/roles.ts";
import { exportPath } from "../../../lib/queries/entries.ts";
import type { ListName } from "../../../lib/redis/keys.ts";
import { Composer } from "./composer/composer.tsx";
import { ImportDialog } from "./import/import-dialog.tsx";
import { ListFacts } from "./list-facts.tsx";
import { readOnlySentence, wordsOf } from "./list-words.ts";
import { ListTable } from "./table/list-table.tsx";
import { useKey } from "./use-key.ts";
import { useListUrl } from "./use-list-url.ts";

interface ListScreenProps {
  readonly list: ListName;
  readonly role: Role;
}

/** One of the two lists: adding to it on top, what stands on it below. */
export function ListScreen({ list, role }: ListScreenProps) {
  const [url, setUrl] = useListUrl();
  const [isImporting, setIsImporting] = useState(false);
  const [total, setTotal] = useState<number>();
  const fieldRef = useRef<HTMLTextAreaElement>(null);
  const release = useRef(() => {});
  const mayChange = may(role, "lists");
  const mayForever = may(role, "lists-forever");
  const add = useCallback(() => {
    fieldRef.current?.focus();
    fieldRef.current?.scrollIntoView({ block: "nearest" });
  }, []);
  useKey("a", add);
  const onWritten = useCallback(() => release.current(), []);
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
            <LinkButton icon={<Download />} href={exportPath({ list, q: url.q, facet: url.facet })} download>
              Export CSV
            </LinkButton>
            {mayChange && (
              <Button variant="primary" icon={<Plus />} kbd="A" onClick={add}>
                Add
              </Button>
            )}
          </>
        }
      />
      {mayChange ? (
        <Composer list={list} mayForever={mayForever} fieldRef={fieldRef} onWritten={onWritten} />
      ) : (
        <p className="rounded-card border border-border bg-surface px-3.5 py-2.5 text-cell text-text-2">
          {readOnlySentence(list, role, rolesThatMay("lists"))}
        </p>
      )}
      <ListTable {...{ list, url, setUrl, mayChange, mayForever, release, setTotal }} onAdd={add} />
      {mayChange && (
        <ImportDialog
          list={list}
          mayForever={mayForever}
          isOpen={isImporting}
          onClose={() => setIsImporting(false)}
          onWritten={onWritten}
        />
      )}
    </>
  );
}
