"use client";

import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select } from "@/components/ui/select.tsx";
import { addedRow, type LevelRow, type ReadRows, type Unit } from "../draft/level-rows.ts";

const units: readonly { value: Unit; label: string }[] = [
  { value: "s", label: "s" },
  { value: "min", label: "min" },
  { value: "h", label: "h" },
  { value: "d", label: "days" },
];

interface LevelsFieldProps {
  readonly rows: readonly LevelRow[];
  readonly read: ReadRows;
  /** Problems are shown after the first attempt to save. */
  readonly isTried: boolean;
  readonly onChange: (rows: readonly LevelRow[]) => void;
}

/** Limits and their periods. */
export function LevelsField({ rows, read, isTried, onChange }: LevelsFieldProps) {
  const put = (row: LevelRow) => onChange(rows.map((one) => (one.key === row.key ? row : one)));
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-2 border-0 p-0">
      <legend className="mb-1.5 p-0 text-cell text-text-2">Limits</legend>
      {rows.map((row, i) => {
        const name = `limit ${i + 1}`;
        const problem = isTried ? read.problems.get(row.key) : undefined;
        return (
          <div key={row.key} className="flex flex-wrap items-center gap-1.5 text-cell">
            <Input
              aria-label={`Requests of ${name}`}
              inputMode="numeric"
              className="w-28"
              value={row.limit}
              isInvalid={problem?.limit !== undefined}
              onChange={({ target }) => put({ ...row, limit: target.value })}
            />
            <span className="text-text-3">per</span>
            <Input
              aria-label={`Period of ${name}`}
              inputMode="numeric"
              className="w-16"
              value={row.count}
              isInvalid={problem?.period !== undefined}
              onChange={({ target }) => put({ ...row, count: target.value })}
            />
            <Select<Unit>
              label={`Unit of ${name}`}
              value={row.unit}
              onChange={(unit) => put({ ...row, unit })}
              options={units}
              className="w-20"
            />
            {rows.length > 1 && (
              <IconButton
                label={`Remove ${name}`}
                icon={<X />}
                onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
              />
            )}
            {problem && (
              <p role="alert" className="w-full text-blocked">
                {problem.limit ?? problem.period}.
              </p>
            )}
          </div>
        );
      })}
      {isTried && read.problem && (
        <p role="alert" className="text-cell text-blocked">
          {read.problem}.
        </p>
      )}
      <div>
        <Button icon={<Plus />} onClick={() => onChange([...rows, addedRow(rows)])}>
          Add a period
        </Button>
      </div>
    </fieldset>
  );
}
