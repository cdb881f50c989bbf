"use client";

import { type RefObject, useEffect, useMemo, useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { Field } from "../../../../components/ui/field.tsx";
import { Input } from "../../../../components/ui/input.tsx";
import type { ListName } from "../../../../lib/redis/keys.ts";
import { wordsOf } from "../list-words.ts";
import { ExpiryField } from "./expiry-field.tsx";
import { LinesField } from "./lines-field.tsx";
import { PreviewPane } from "./preview-pane.tsx";
import { type Composing, useComposer } from "./use-composer.ts";

interface ComposerProps {
  readonly list: ListName;
  readonly mayForever: boolean;
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly onWritten: () => void;
}

const pane = "min-w-0 border-border p-3.5";

/** Answers "what will this do?" before the button is there to be pressed. */
export function Composer({ list, mayForever, fieldRef, onWritten }: ComposerProps) {
  const composing = useComposer({ list, mayForever, onWritten });
  const { draft, lines, isBusy, change, submit } = composing;
  useEarlyText(fieldRef, change);
  return (
    <section
      aria-label={`Add to the ${list}`}
      className="grid rounded-card border border-border bg-surface lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,18rem)]"
    >
      <div className={pane}>
        <LinesField
          fieldRef={fieldRef}
          text={draft.text}
          lines={lines}
          isBusy={isBusy}
          onChange={(text) => change({ text })}
          onSubmit={() => void submit()}
        />
      </div>
      <div className={`${pane} max-lg:border-t lg:border-l`}>
        <PreviewPane list={list} composing={composing} />
      </div>
      <div
        className={`${pane} flex flex-col gap-3 max-xl:col-span-full max-xl:border-t sm:max-xl:flex-row sm:max-xl:flex-wrap sm:max-xl:items-end xl:border-l`}
      >
        <Settings list={list} composing={composing} mayForever={mayForever} />
      </div>
    </section>
  );
}

/** Whoever is in a hurry types before the page is alive. */
function useEarlyText(field: ComposerProps["fieldRef"], change: Composing["change"]): void {
  useEffect(() => {
    if (field.current?.value) change({ text: field.current.value });
  }, [field, change]);
}

interface SettingsProps {
  readonly list: ListName;
  readonly composing: Composing;
  readonly mayForever: boolean;
}

function Settings({ list, composing, mayForever }: SettingsProps) {
  const { draft, problem, change, submit } = composing;
  return (
    <>
      <ExpiryField expiry={draft.expiry} mayForever={mayForever} onChange={(expiry) => change({ expiry })} />
      <Field
        label="Reason"
        hint="shown in audit"
        error={problem && `${problem}.`}
        className="sm:max-xl:min-w-60 sm:max-xl:flex-1"
      >
        <Input
          value={draft.reason}
          placeholder={list === "blocklist" ? "Scraping the catalogue, 40 req/s" : "Office network"}
          onChange={(event) => change({ reason: event.target.value })}
          onKeyDown={(event) => event.key === "Enter" && (event.metaKey || event.ctrlKey) && void submit()}
        />
      </Field>
      <SubmitRow list={list} composing={composing} />
    </>
  );
}

function SubmitRow({
  list,
  composing: { draft, ready, isBusy, change, submit },
}: Omit<SettingsProps, "mayForever">) {
  const keys = useSubmitKeys();
  const isChecking = !ready.can && ready.isChecking === true;
  return (
    <div className="flex flex-col gap-1.5 sm:max-xl:min-w-72">
      <div className="flex gap-2">
        <Button
          variant="primary"
          size="lg"
          kbd={keys}
          isBusy={isBusy || isChecking}
          disabled={!ready.can && !isChecking}
          aria-describedby="composer-why"
          onClick={() => void submit()}
          className="min-w-0 flex-1"
        >
          {isBusy ? `${wordsOf[list].verb}ing` : ready.label}
        </Button>
        {draft.text !== "" && (
          <Button variant="ghost" size="lg" disabled={isBusy} onClick={() => change({ text: "" })}>
            Clear
          </Button>
        )}
      </div>
      {!ready.can && draft.text.trim() !== "" && (
        <p id="composer-why" className="text-cell text-text-3">
          {ready.why}
        </p>
      )}
    </div>
  );
}

/** As it stands on the keyboard in front of whoever reads it; known in the browser alone. */
function useSubmitKeys(): string {
  const [isMac, setIsMac] = useState(false);
  useEffect(() => setIsMac(/Mac|iPhone|iPad/.test(navigator.userAgent)), []);
  return useMemo(() => (isMac ? "⌘↵" : "Ctrl ↵"), [isMac]);
}
