"use client";

import { CalendarDays, Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { isFields, itemsOf } from "../draft/document.ts";
import { NumberAt, ProblemText, TextAt } from "./fields.tsx";
import { usePlace } from "./form-scope.tsx";
import { sentence } from "./rule-words.ts";
import { addedCalendarLevel, addedLevel } from "./rules.ts";

const mostLevels = 8;
const noneHint = "0 = none allowed";

/** Levels of a rule, or the choice of those of the customer's tier. */
export function RuleLevels({ algorithm }: { algorithm: string }) {
  const { value, put, problem, isReadOnly } = usePlace(["levels"]);
  const isTier = value === "tier";
  const hasRate = isRate(algorithm);
  if (algorithm === "concurrent") return <AtOnceFields />;
  return (
    <>
      {!hasRate && (
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
      {!isTier && <LevelsFields isRate={hasRate} />}
    </>
  );
}

/** The one level of a limit of requests at once. */
function AtOnceFields() {
  const { problem } = usePlace(["levels"]);
  return (
    <div className="grid grid-cols-2 items-start gap-2">
      <NumberAt path={["levels", 0, "limit"]} label="At once" hint={noneHint} />
      <NumberAt path={["levels", 0, "periodSeconds"]} label="Each for at most" unit="s" />
      <ProblemText problem={problem} />
    </div>
  );
}

/** One row per level. A rate has a half-life instead of a period. */
export function LevelsFields({ isRate: hasRate }: { isRate: boolean }) {
  const { value, put, problem, isReadOnly } = usePlace(["levels"]);
  const levels = itemsOf(value);
  return (
    <div className="flex flex-col gap-3">
      {levels.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level has no other key than its place.
        <fieldset key={i} aria-label={`Level ${i + 1}`} className="m-0 flex min-w-0 items-start gap-2">
          <div
            className={`grid min-w-0 flex-1 gap-2 ${hasRate ? "grid-cols-3 max-sm:grid-cols-1" : "grid-cols-2"}`}
          >
            <LevelFields place={i} isRate={hasRate} />
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
        <div className="flex flex-wrap gap-2">
          <Button icon={<Plus />} onClick={() => put([...levels, addedLevel(levels, hasRate)])}>
            Add level
          </Button>
          {!hasRate && (
            <Button icon={<CalendarDays />} onClick={() => put([...levels, addedCalendarLevel(levels)])}>
              Add day or month
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function LevelFields({ place, isRate: hasRate }: { place: number; isRate: boolean }) {
  const at = (field: string) => ["levels", place, field];
  const { value } = usePlace(["levels", place]);
  if (isFields(value) && value.period !== undefined) return <CalendarFields place={place} level={value} />;
  if (!hasRate)
    return (
      <>
        <NumberAt path={at("limit")} label="Limit" hint={noneHint} />
        <NumberAt path={at("periodSeconds")} label="Per" unit="s" />
      </>
    );
  return (
    <>
      <NumberAt path={at("limitPerSecond")} label="Limit" unit="/s" hint={noneHint} />
      <NumberAt path={at("halfLifeSeconds")} label="Half-life" unit="s" />
      <NumberAt path={at("overageWeight")} label="Overage weight" standard={1} hint="0 to 1" />
    </>
  );
}

interface CalendarFieldsProps {
  place: number;
  level: Readonly<Record<string, unknown>>;
}

/** A day or month of the calendar, in a time zone. */
function CalendarFields({ place, level: { limit, period, timeZone } }: CalendarFieldsProps) {
  const { put, isReadOnly } = usePlace(["levels", place]);
  const at = (field: string) => ["levels", place, field];
  return (
    <>
      <NumberAt path={at("limit")} label="Limit" hint={noneHint} />
      <Field label="Per">
        <Select
          label="Per"
          value={period === "day" ? "day" : "month"}
          // Without the length and the first day of the other period.
          onChange={(picked) => put({ limit, period: picked, timeZone })}
          options={[
            { value: "day", label: "Day" },
            { value: "month", label: "Month" },
          ]}
          isDisabled={isReadOnly}
          className="w-full"
        />
      </Field>
      <TextAt path={at("timeZone")} label="Time zone" />
      {period !== "day" && <NumberAt path={at("startsOn")} label="From day" standard={1} hint="1 to 31" />}
    </>
  );
}
