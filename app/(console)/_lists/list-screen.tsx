"use client";

import { Download, Plus, Upload } from "lucide-react";
import dynamic from "next/dynamic";
import { useCallback, useRef, useState } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { LinkButton } from "../../../components/ui/link-button.tsx";
import { PageHeader } from "../../../components/ui/page-header.tsx";
import { may, type Role, rolesThatMay } from "../../../lib/auth/roles.ts";
import { exportPath } from "../../../lib/queries/entries.ts";
import type { ListName } from "../../../lib/redis/keys.ts";
import { Composer } from "./composer/composer.tsx";
import { ListFacts } from "./list-facts.tsx";
import type { ListUrl } from "./list-url.ts";
import { readOnlySentence, wordsOf } from "./list-words.ts";
import { ListTable } from "./table/list-table.tsx";
import { useKey } from "./use-key.ts";
import { useListUrl } from "./use-list-url.ts";

/** Fetched when it is wanted: nobody under attack waits for it. */
const ImportDialog = dynamic(() => import("./import/import-dialog.tsx").then((file) => file.ImportDialog));

interface ListScreenProps {
  readonly list: ListName;
  readonly role: Role;
}

/** One of the two lists: adding to it on top, what stands on it below. */
export function ListScreen({ list, role }: ListScreenProps) {
  const [url, setUrl] = useListUrl();
  const [isImporting, setIsImporting] = useState<boolean>();
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
          <Actions
            list={list}
            url={url}
            mayChange={mayChange}
            onImport={() => setIsImporting(true)}
            onAdd={add}
          />
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
      {mayChange && isImporting !== undefined && (
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

interface ActionsProps {
  readonly list: ListName;
  readonly url: ListUrl;
  readonly mayChange: boolean;
  readonly onImport: () => void;
  readonly onAdd: () => void;
}

/** The export is of what the filter finds. */
function Actions({ list, url: { q, facet }, mayChange, onImport, onAdd }: ActionsProps) {
  return (
    <>
      {mayChange && (
        <Button icon={<Upload />} onClick={onImport}>
          Import CSV
        </Button>
      )}
      <LinkButton icon={<Download />} href={exportPath({ list, q, facet })} download>
        Export CSV
      </LinkButton>
      {mayChange && (
        <Button variant="primary" icon={<Plus />} kbd="A" onClick={onAdd}>
          Add
        </Button>
      )}
    </>
  );
}
