"use client";

import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { itemsOf } from "../draft/document.ts";
import { NumberAt, ProblemText } from "./fields.tsx";
import { usePlace } from "./form-scope.tsx";
import { sentence } from "./rule-words.ts";
import { addedLevel } from "./rules.ts";

const mostLevels = 8;

/** Levels of a rule, or the choice of those of the customer's tier. */
export function RuleLevels({ isRate }: { isRate: boolean }) {
  const { value, put, problem, isReadOnly } = usePlace(["levels"]);
  const isTier = value === "tier";
  return (
    <>
      {!isRate && (
        <Field label="Limits" error={isTier ? sentence(problem) : undefined}>
          <Segmented
            label="Limits"
            value={isTier ? "tier" : "own"}
            onChange={(picked) => put(picked === "tier" ? "tier" : [addedLevel([], false)])}
            options={[
              { value: "own", label: "This rule" },
              { value: "tier", label: "Customer's tier" },
            ]}
            isDisabled={isReadOnly}
          />
        </Field>
      )}
      {!isTier && <LevelsFields isRate={isRate} />}
    </>
  );
}

/** One row per level. A rate has a half-life instead of a period. */
export function LevelsFields({ isRate }: { isRate: boolean }) {
  const { value, put, problem, isReadOnly } = usePlace(["levels"]);
  const levels = itemsOf(value);
  return (
    <div className="flex flex-col gap-3">
      {levels.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level has no other key than its place.
        <fieldset key={i} aria-label={`Level ${i + 1}`} className="m-0 flex min-w-0 items-start gap-2">
          <div
            className={`grid min-w-0 flex-1 gap-2 ${isRate ? "grid-cols-3 max-sm:grid-cols-1" : "grid-cols-2"}`}
          >
            <LevelFields place={i} isRate={isRate} />
          </div>
          {!isReadOnly && levels.length > 1 && (
            <IconButton
              label={`Remove level ${i + 1}`}
              icon={<X />}
              size="lg"
              className="mt-5.5"
              onClick={() => put(levels.filter((_, other) => other !== i))}
            />
          )}
        </fieldset>
      ))}
      <ProblemText problem={problem} />
      {!isReadOnly && levels.length < mostLevels && (
        <Button
          className="self-start"
          icon={<Plus />}
          onClick={() => put([...levels, addedLevel(levels, isRate)])}
        >
          Add level
        </Button>
      )}
    </div>
  );
}

function LevelFields({ place, isRate }: { place: number; isRate: boolean }) {
  const at = (field: string) => ["levels", place, field];
  if (!isRate)
    return (
      <>
        <NumberAt path={at("limit")} label="Limit" />
        <NumberAt path={at("periodSeconds")} label="Per" unit="s" />
      </>
    );
  return (
    <>
      <NumberAt path={at("limitPerSecond")} label="Limit" unit="/s" />
      <NumberAt path={at("halfLifeSeconds")} label="Half-life" unit="s" />
      <NumberAt path={at("overageWeight")} label="Overage weight" standard={1} hint="0 to 1" />
    </>
  );
}
