"use client";

import type { ReactNode } from "react";
import { UntilField } from "@/components/console/until-field.tsx";
import { Card } from "@/components/ui/card.tsx";
import { useNow } from "@/components/ui/now.ts";
import { type RadioCardOption, RadioCards } from "@/components/ui/radio-cards.tsx";
import { momentText } from "@/components/ui/value-text.ts";
import type { Level } from "@/lib/enforce/policy/levels.ts";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayLevel, sayTier } from "../customer-words.ts";
import { lastingTier, mayEnd, tierEndOf } from "../draft/draft.ts";
import type { Editor } from "../draft/use-editor.ts";

type Value = `tier:${string}`;

/** Each tier of the policy with the limits that it means. */
export function TierCard({ editor }: { editor: Editor }) {
  const { now, base, draft, edit, mayChange } = editor;
  const clock = useNow();
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
      {mayChange && mayEnd(draft, base) && (
        <div className="mt-3 flex flex-col gap-1.5">
          <UntilField
            label={`In ${sayTier(draft.tier)}`}
            until={draft.until}
            onChange={(until) => edit((before) => ({ ...before, until }))}
          />
          <p suppressHydrationWarning className="text-cell text-text-3">
            {sayThen(editor, clock)}
          </p>
        </div>
      )}
    </Card>
  );
}

/** `21 Nov, 18:00 UTC, then back to Pro`. */
function sayThen({ draft, base }: Editor, now: number): string {
  const end = tierEndOf(draft, base, now);
  if (!end.ok) return "";
  if (end.atMs === undefined) return "It does not end";
  const lasting = lastingTier(base);
  return `${momentText(end.atMs, now)} UTC, then ${lasting === "" ? "no tier" : `back to ${sayTier(lasting)}`}`;
}

function optionsOf({ tiers, tier, defaultTier, session }: CustomerNow): RadioCardOption<Value>[] {
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
      session?.tier && tiers.some(({ name }) => name === session.tier)
        ? `Limits of tier ${sayTier(session.tier)}, from the app's session`
        : `${
            defaultTier === null
              ? "Limits for anonymous clients, by customer id"
              : `Limits of the default tier, ${sayTier(defaultTier)}`
          }, unless the app's session names a tier`,
    ),
  ];
}

/** `100 / min` `5,000 / h`. */
function LevelChips({ levels }: { levels: readonly Level[] }) {
  return levels.map((level) => (
    <span
      key={level.periodSeconds}
      className="inline-flex h-5 items-center rounded-badge bg-raised px-1.5 text-meta whitespace-nowrap text-text-2"
    >
      {sayLevel(level)}
    </span>
  ));
}
