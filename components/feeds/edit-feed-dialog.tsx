"use client";

import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { durationText } from "@/components/ui/value-text.ts";
import { changeFeed } from "@/lib/console/actions/feeds.ts";
import type { FeedRow } from "@/lib/queries/feeds.ts";
import { editsOf, type FeedForm, formOf } from "./feed-edits.ts";
import { everyOptions, keysOptions } from "./feed-options.ts";
import { useFeedChange } from "./use-feed-change.ts";

/** A choice, with the feed's own where it is none of those. */
function withOwn<T extends { readonly value: string; readonly label: string }>(
  options: readonly T[],
  ms: number,
): { value: string; label: string }[] {
  const own = { value: String(ms), label: durationText(ms) };
  return options.some(({ value }) => value === own.value) ? [...options] : [own, ...options];
}

/** Changes how a feed is read. */
export function EditFeedDialog({ feed, onClose }: { feed: FeedRow; onClose: () => void }) {
  const { id, name, list } = feed;
  // The feed may change while the dialog is open.
  const [before] = useState(() => formOf(feed));
  const [form, setForm] = useState(before);
  const [apiKey, setApiKey] = useState("");
  const { source, header, column, every, keys } = form;
  const write = (given: Partial<FeedForm>) => setForm((now) => ({ ...now, ...given }));
  const { change, isBusy, failure } = useFeedChange(onClose);
  const submit = async () => {
    await change(`${name} changed`, () => changeFeed({ id, apiKey, ...editsOf(before, form) }));
  };
  return (
    <FormDialog
      title={`Edit ${name}`}
      description="A new source is read at once. A large change waits for your decision."
      submitLabel="Save"
      onSubmit={submit}
      {...{ isBusy, failure, onClose }}
    >
      <Field
        label="Source"
        hint={source.includes("…") ? "… hides a secret, which is kept" : "https, file, AS64500 or country:DE"}
        error={failure?.fields.source}
      >
        <Input
          isMono
          spellCheck={false}
          autoComplete="off"
          value={source}
          onChange={({ target }) => write({ source: target.value })}
        />
      </Field>
      <Field label="Refresh every" error={failure?.fields.every}>
        <Select
          label="Refresh every"
          value={every}
          onChange={(value) => write({ every: value })}
          options={withOwn(everyOptions, Number(before.every))}
        />
      </Field>
      <Field label="Column of the address" hint="its name or number" error={failure?.fields.column}>
        <Input value={column} onChange={({ target }) => write({ column: target.value })} />
      </Field>
      <Field label="Header of the API key" hint="empty for none" error={failure?.fields.header}>
        <Input value={header} autoComplete="off" onChange={({ target }) => write({ header: target.value })} />
      </Field>
      <Field
        label="API key"
        hint={feed.header === null ? "never shown again" : "empty keeps the present one"}
        error={failure?.fields.key}
      >
        <Input
          type="password"
          autoComplete="off"
          value={apiKey}
          onChange={({ target }) => setApiKey(target.value)}
        />
      </Field>
      {list === "blocklist" && (
        <Field label="Also write blocklist: keys" error={failure?.fields.keys}>
          <Select
            label="Also write blocklist: keys"
            value={keys}
            onChange={(value) => write({ keys: value })}
            options={[
              { value: "none", label: "no" },
              ...(feed.keys ? withOwn(keysOptions, feed.keys.ttlMs) : keysOptions),
            ]}
          />
        </Field>
      )}
    </FormDialog>
  );
}
