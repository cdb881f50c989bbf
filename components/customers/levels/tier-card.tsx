"use client";

import type { ReactNode } from "react";
import { Card } from "@/components/ui/card.tsx";
import { type RadioCardOption, RadioCards } from "@/components/ui/radio-cards.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import type { Editor } from "../draft/use-editor.ts";
import { sayTier } from "../level-words.ts";
import { LevelChips } from "./level-chips.tsx";

type Value = `tier:${string}`;

/** Each tier of the policy with the limits that it means. */
export function TierCard({ editor, mayChange }: { editor: Editor; mayChange: boolean }) {
  const { now, draft, edit } = editor;
  const hint = draft.rows
    ? "applies when the custom throttle expires or is removed"
    : "sets the limits unless a custom throttle is in force";
  return (
    <Card title="Tier" hint={hint}>
      <RadioCards<Value>
        label="Tier"
        value={`tier:${draft.tier}`}
        onChange={(value) => edit((before) => ({ ...before, tier: value.slice("tier:".length) }))}
        options={optionsOf(now)}
        isDisabled={!mayChange}
        className="grid-flow-row! sm:grid-cols-[repeat(auto-fit,minmax(150px,1fr))]"
      />
    </Card>
  );
}

function optionsOf({ tiers, tier, defaultTier }: CustomerNow): RadioCardOption<Value>[] {
  const current = tier?.name ?? "";
  const option = (name: string, children: ReactNode, note = ""): RadioCardOption<Value> => ({
    value: `tier:${name}`,
    title: sayTier(name),
    hint: [note, name === current && "current"].filter(Boolean).join(", "),
    children,
  });
  return [
    ...tiers.map(({ name, levels }) => option(name, <LevelChips levels={levels} />)),
    ...(tier && !tier.isKnown ? [option(tier.name, "Counts as no tier", "not in the policy")] : []),
    option(
      "",
      defaultTier === null
        ? "Limits for anonymous clients, by customer id"
        : `Limits of the default tier, ${sayTier(defaultTier)}`,
    ),
  ];
}
