"use client";

import { Plus, Trash2, Users } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Sheet } from "@/components/ui/sheet.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { checkPolicy } from "@/lib/enforce/policy/schema.ts";
import { sayLevels } from "@/lib/enforce/policy/words.ts";
import { isFields, pathText } from "../draft/document.ts";
import { type FormPolicy, withPlace } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { FormScopeProvider } from "../rules/form-scope.tsx";
import { LevelsFields } from "../rules/levels-fields.tsx";
import { sentence } from "../rules/rule-words.ts";
import { addedLevel } from "../rules/rules.ts";

/** Levels by tier, for rules with the limits of the customer's tier. */
export function TiersCard({ editor }: { editor: PolicyEditor }) {
  const [open, setOpen] = useState<string>();
  const { policy } = editor.draft;
  const names = Object.keys(policy.tiers);
  const { mayEdit } = editor;
  return (
    <Card isFlush title="Tiers" hint="for rules with the limits of the customer's tier">
      {names.length === 0 && (
        <EmptyState
          icon={<Users />}
          title="No tiers"
          hint="Limits for anonymous clients count a customer by its id, unless it has a custom throttle."
        />
      )}
      <ul>
        {names.map((name) => (
          <TierRow key={name} {...{ editor, name }} onOpen={() => setOpen(name)} />
        ))}
      </ul>
      {names.length > 0 && <DefaultTier {...{ editor, names }} />}
      <SuspendedMessage editor={editor} />
      {mayEdit && <NewTier editor={editor} onAdded={setOpen} />}
      {open !== undefined && <TierSheet editor={editor} name={open} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function TierRow({ editor, name, onOpen }: { editor: PolicyEditor; name: string; onOpen: () => void }) {
  const { draft, standing } = editor;
  const tier = draft.policy.tiers[name];
  const checked = checkPolicy({ mode: "enforce", rules: [], tiers: { [name]: tier } });
  const levels = checked.ok ? checked.policy.tiers[name]?.levels : undefined;
  const start = pathText(["tiers", name]);
  const hasProblem = standing.problems.some(({ path }) => path.startsWith(start));
  const isChanged = JSON.stringify(draft.base.tiers[name]) !== JSON.stringify(tier);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-border px-3.5 py-1.5 text-cell">
      <button
        type="button"
        onClick={onOpen}
        className="min-h-6 min-w-28 rounded-control text-left font-mono font-medium hover:underline max-sm:min-h-11"
      >
        <Untrusted text={name} max={32} />
      </button>
      <span className="text-text-2">{levels ? sayLevels(levels) : "not finished"}</span>
      {hasProblem ? (
        <Badge tone="blocked">problem</Badge>
      ) : (
        isChanged && <Badge tone="plain">{draft.base.tiers[name] ? "changed" : "new"}</Badge>
      )}
    </li>
  );
}

/** Tier of customers without a tier of the policy and without a custom throttle. */
function DefaultTier({ editor, names }: { editor: PolicyEditor; names: readonly string[] }) {
  const { draft, standing, mayEdit } = editor;
  const { defaultTier } = draft.policy;
  const value = typeof defaultTier === "string" ? defaultTier : "";
  const problem = standing.problems.find(({ path }) => path === "defaultTier")?.message;
  // A removed tier is shown until another one is chosen.
  const all = value === "" || names.includes(value) ? names : [...names, value];
  return (
    <div className="border-t border-border px-3.5 py-3">
      <Field
        label="Default tier"
        hint="limits of signed-in customers without a tier"
        error={sentence(problem)}
        className="max-w-80"
      >
        <Select
          label="Default tier"
          value={value}
          isDisabled={!mayEdit}
          onChange={(name) => editor.edit((policy) => withPlace(policy, ["defaultTier"], name || undefined))}
          options={[
            { value: "", label: "None: counted by customer id" },
            ...all.map((name) => ({ value: name, label: name })),
          ]}
        />
      </Field>
    </div>
  );
}

/** What suspended customers read. */
function SuspendedMessage({ editor }: { editor: PolicyEditor }) {
  const { draft, standing, mayEdit } = editor;
  const { messages } = draft.policy;
  const value = isFields(messages) && typeof messages.suspended === "string" ? messages.suspended : "";
  const problem = standing.problems.find(({ path }) => path.startsWith("messages"))?.message;
  const write = (suspended: string) =>
    editor.edit((policy) => withPlace(policy, ["messages"], suspended === "" ? undefined : { suspended }));
  return (
    <div className="border-t border-border px-3.5 py-3">
      <Field
        label="Message to suspended customers"
        hint="with status 403"
        error={sentence(problem)}
        className="max-w-120"
      >
        <Input
          value={value}
          disabled={!mayEdit}
          placeholder="Requests of this account are not accepted at present."
          onChange={({ target }) => write(target.value)}
        />
      </Field>
    </div>
  );
}

function NewTier({ editor, onAdded }: { editor: PolicyEditor; onAdded: (name: string) => void }) {
  const [name, setName] = useState("");
  const problem = name === "" ? undefined : problemOf(editor.draft.policy, name);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name === "" || problem) return;
    editor.edit((policy) => withTier(policy, name));
    onAdded(name);
    setName("");
  };
  return (
    <form onSubmit={add} className="flex items-end gap-2 border-t border-border px-3.5 py-3">
      <Field label="Name of the new tier" error={sentence(problem)} className="max-w-60 flex-1">
        <Input isMono spellCheck={false} value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Button type="submit" size="lg" icon={<Plus />}>
        Add tier
      </Button>
    </form>
  );
}

function withTier(policy: FormPolicy, name: string): FormPolicy {
  return { ...policy, tiers: { ...policy.tiers, [name]: { levels: [addedLevel([], false)] } } };
}

function problemOf(policy: FormPolicy, name: string): string | undefined {
  if (Object.hasOwn(policy.tiers, name)) return "a tier with this name exists";
  const checked = checkPolicy({ mode: "enforce", rules: [], tiers: withTier(policy, name).tiers });
  if (checked.ok) return undefined;
  return checked.problems.find(({ path }) => path === "tiers" || path === pathText(["tiers", name]))?.message;
}

/** Levels of one tier. The name is fixed, because customers refer to it. */
function TierSheet({ editor, name, onClose }: { editor: PolicyEditor; name: string; onClose: () => void }) {
  if (!Object.hasOwn(editor.draft.policy.tiers, name)) return null;
  const { mayEdit } = editor;
  const remove = () => {
    editor.edit(({ tiers, defaultTier, ...rest }) => ({
      ...rest,
      rules: rest.rules,
      tiers: Object.fromEntries(Object.entries(tiers).filter(([other]) => other !== name)),
      ...(defaultTier !== undefined && defaultTier !== name && { defaultTier }),
    }));
    onClose();
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={
        <>
          Tier <Untrusted text={name} max={32} className="font-mono" />
        </>
      }
      description="All levels count each customer of this tier."
      footer={
        <>
          {mayEdit && (
            <Button variant="danger" size="lg" icon={<Trash2 />} onClick={remove} className="mr-auto">
              Remove tier
            </Button>
          )}
          <Button variant="primary" size="lg" onClick={onClose}>
            {mayEdit ? "Done" : "Close"}
          </Button>
        </>
      }
    >
      <FormScopeProvider editor={editor} root={["tiers", name]}>
        <LevelsFields isRate={false} />
      </FormScopeProvider>
    </Sheet>
  );
}
