"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { useSettled } from "@/components/console/use-settled.ts";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { addFeed } from "@/lib/console/actions/feeds.ts";
import { feedPreview } from "@/lib/queries/feeds.ts";
import { everyOptions, keysOptions } from "./feed-options.ts";
import { FeedPreviewPane } from "./feed-preview.tsx";
import { useFeedChange } from "./use-feed-change.ts";

const hourMs = 3_600_000;
const settledMs = 600;

const keepOptions = [
  { value: "86400000", label: "1 d" },
  { value: "604800000", label: "1 week" },
  { value: "never", label: "never expires" },
] as const;

/** Adds a feed. Shows what it would do before anything is written. */
export function AddFeedDialog({ onClose }: { onClose: () => void }) {
  const [source, setSource] = useState("");
  const [name, setName] = useState("");
  const [column, setColumn] = useState("");
  const [header, setHeader] = useState("");
  const [apiKey, setApiKey] = useState("");
  const [list, setList] = useState<"blocklist" | "safelist">("blocklist");
  const [mode, setMode] = useState<"shadow" | "enforce">("shadow");
  const [every, setEvery] = useState<(typeof everyOptions)[number]["value"]>("3600000");
  const [keep, setKeep] = useState<(typeof keepOptions)[number]["value"]>("604800000");
  const [hold, setHold] = useState("50");
  const [keys, setKeys] = useState<"none" | (typeof keysOptions)[number]["value"]>("none");
  const [isWideConfirmed, setIsWideConfirmed] = useState(false);
  const { change, isBusy, failure } = useFeedChange(onClose);
  const asked = { source: source.trim(), column, header, apiKey, list, isWideConfirmed };
  const settled = useSettled(JSON.stringify(asked), settledMs);
  const isReadable = asked.source.length > 3;
  const preview = useQuery({
    ...feedPreview(JSON.parse(settled)),
    enabled: isReadable && settled === JSON.stringify(asked),
    retry: false,
    staleTime: hourMs,
  });
  const ranges = preview.data?.ranges;
  const wide = preview.data?.wideCount ?? 0;
  const submit = async () => {
    await change(`Feed ${name} added`, () =>
      addFeed({
        ...{ name, list, source: asked.source, column, header, apiKey, mode, isWideConfirmed },
        ...{
          everyMs: Number(every),
          keepMs: keep === "never" ? null : Number(keep),
          holdPercent: Number(hold),
          ...(keys !== "none" && list === "blocklist" && { keysTtlMs: Number(keys) }),
        },
      }),
    );
  };
  const label = `Add ${ranges === undefined ? "feed" : counted(ranges, "range")}${mode === "shadow" ? " in shadow" : ""}`;
  return (
    <FormDialog
      title="Add feed"
      description="Nothing is written until you add it."
      submitLabel={label}
      onSubmit={submit}
      isReady={name.trim() !== "" && isReadable}
      {...{ isBusy, failure, onClose }}
      aside={<FeedPreviewPane preview={preview} isWideConfirmed={isWideConfirmed} list={list} />}
    >
      <Field label="Source" hint="https, file, AS64500 or country:DE" error={failure?.fields.source}>
        <Input
          isMono
          spellCheck={false}
          autoComplete="off"
          value={source}
          onChange={({ target }) => setSource(target.value)}
        />
      </Field>
      <Field label="Name" error={failure?.fields.name}>
        <Input value={name} maxLength={60} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Kind">
        <Segmented
          label="Kind"
          value={list}
          onChange={setList}
          options={[
            { value: "blocklist", label: "Blocklist" },
            { value: "safelist", label: "Safelist" },
          ]}
        />
      </Field>
      <Field label="Start in" hint="shadow is recommended for a new feed">
        <Segmented
          label="Start in"
          value={mode}
          onChange={setMode}
          options={[
            { value: "shadow", label: "Shadow", tone: "shadow" },
            { value: "enforce", label: "Enforce" },
          ]}
        />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Refresh every" error={failure?.fields.every}>
          <Select label="Refresh every" value={every} onChange={setEvery} options={everyOptions} />
        </Field>
        <Field label="Keep if failing" error={failure?.fields.keep}>
          <Select label="Keep if failing" value={keep} onChange={setKeep} options={keepOptions} />
        </Field>
      </div>
      <Field label="Hold a refresh that changes more than" error={failure?.fields.hold}>
        <Input inputMode="numeric" unit="%" value={hold} onChange={({ target }) => setHold(target.value)} />
      </Field>
      <details className="text-cell">
        <summary className="cursor-pointer text-text-2">More: column, API key, blocklist: keys</summary>
        <div className="flex flex-col gap-3 pt-3">
          {list === "blocklist" && (
            <Field
              label="Also write blocklist: keys"
              hint="for programs that know only those"
              error={failure?.fields.keys}
            >
              <Select
                label="Also write blocklist: keys"
                value={keys}
                onChange={setKeys}
                options={[{ value: "none", label: "no" }, ...keysOptions]}
              />
            </Field>
          )}
          <Field label="Column of the address" hint="its name or number" error={failure?.fields.column}>
            <Input value={column} onChange={({ target }) => setColumn(target.value)} />
          </Field>
          <Field label="Header of the API key" error={failure?.fields.header}>
            <Input value={header} autoComplete="off" onChange={({ target }) => setHeader(target.value)} />
          </Field>
          <Field label="API key" hint="never shown again" error={failure?.fields.key}>
            <Input
              type="password"
              autoComplete="off"
              value={apiKey}
              onChange={({ target }) => setApiKey(target.value)}
            />
          </Field>
        </div>
      </details>
      {wide > 0 && (
        <Checkbox
          checked={isWideConfirmed}
          onChange={setIsWideConfirmed}
          label={`Also take ${counted(wide, "range")} wider than /24 (IPv6 /48)`}
        />
      )}
    </FormDialog>
  );
}
