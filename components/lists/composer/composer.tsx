import { type RefObject, useEffect, useRef, useState } from "react";
import { isPressed } from "@/components/console/shortcuts.ts";
import { useLatest } from "@/components/console/use-latest.ts";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import type { ListName } from "@/lib/redis/keys.ts";
import { wordsOf } from "../list-words.ts";
import { TagsField } from "../tags/tags-field.tsx";
import { ExpiryField } from "./expiry-field.tsx";
import { LinesField } from "./lines-field.tsx";
import { PreviewPane } from "./preview-pane.tsx";
import { type Composing, useComposer } from "./use-composer.ts";

interface ComposerProps {
  readonly list: ListName;
  readonly mayForever: boolean;
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
}

const pane = "min-w-0 border-border p-3.5";

/** Form that adds addresses to a list. The preview shows the effect before the button is enabled. */
export function Composer({ list, mayForever, fieldRef }: ComposerProps) {
  const composing = useComposer({ list, mayForever });
  const { draft, lines, problem, isBusy, change, submit } = composing;
  const reasonRef = useRef<HTMLInputElement>(null);
  useEarlyText(fieldRef, (text) => change({ text }));
  useEarlyText(reasonRef, (reason) => change({ reason }));
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
          list={list}
          filter={composing.filter}
          onFilter={composing.setFilter}
          onChange={(text) => change({ text })}
          onCorrect={composing.correct}
          onEdit={composing.edit}
          onSubmit={() => void submit()}
        />
      </div>
      <div className={`${pane} max-lg:border-t lg:border-l`}>
        <PreviewPane list={list} composing={composing} />
      </div>
      <div
        className={`${pane} flex flex-col gap-3 max-xl:col-span-full max-xl:border-t sm:max-xl:flex-row sm:max-xl:flex-wrap sm:max-xl:items-end xl:border-l`}
      >
        <ExpiryField
          expiry={draft.expiry}
          mayForever={mayForever}
          onChange={(expiry) => change({ expiry })}
        />
        <Field
          label="Reason"
          hint="shown in the audit log"
          error={problem && `${problem}.`}
          className="sm:max-xl:min-w-60 sm:max-xl:flex-1"
        >
          <Input
            ref={reasonRef}
            value={draft.reason}
            placeholder={list === "blocklist" ? "Scraping the catalogue, 40 req/s" : "Office network"}
            onChange={(event) => change({ reason: event.target.value })}
            onKeyDown={(event) => isPressed("submit", event) && void submit()}
          />
        </Field>
        <TagsField
          hint="with a space between"
          text={draft.tags}
          onChange={(tags) => change({ tags })}
          className="sm:max-xl:min-w-48 sm:max-xl:flex-1"
        />
        <SubmitRow list={list} composing={composing} />
      </div>
    </section>
  );
}

/** Takes over text that was typed before hydration. */
function useEarlyText(
  field: RefObject<{ readonly value: string } | null>,
  take: (text: string) => void,
): void {
  const latest = useLatest(take);
  useEffect(() => {
    if (field.current?.value) latest.current(field.current.value);
  }, [field, latest]);
}

function SubmitRow({ list, composing }: { list: ListName; composing: Composing }) {
  const { draft, ready, isBusy, change, submit } = composing;
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

/** Submit keys, as they are named on this keyboard. Known only in the browser. */
function useSubmitKeys(): string {
  const [isMac, setIsMac] = useState(false);
  useEffect(() => setIsMac(/Mac|iPhone|iPad/.test(navigator.userAgent)), []);
  return isMac ? "⌘↵" : "Ctrl ↵";
}
