"use client";

import type { ReactNode } from "react";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select, type SelectOption } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { saySeconds } from "@/lib/enforce/policy/words.ts";
import { itemsOf, type Path } from "../draft/document.ts";
import { usePlace, useTyped } from "./form-scope.tsx";
import { sentence } from "./rule-words.ts";

interface AtProps {
  path: Path;
  label: string;
  hint?: ReactNode;
  className?: string;
}

export function TextAt({ path, label, hint, isMono = false, className }: AtProps & { isMono?: boolean }) {
  const { value, put, problem, isReadOnly } = usePlace(path);
  return (
    <Field label={label} hint={hint} error={sentence(problem)} className={className}>
      <Input
        isMono={isMono}
        spellCheck={false}
        value={typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)}
        readOnly={isReadOnly}
        onChange={({ target }) => put(target.value)}
      />
    </Field>
  );
}

interface NumberAtProps extends AtProps {
  isLabelHidden?: boolean;
  unit?: string;
  /** Default, used while the field is missing. */
  standard?: number;
}

/** A number, or text that is not a number yet. The policy's schema reports the problem. */
export function NumberAt({ path, label, isLabelHidden, hint, unit, standard, className }: NumberAtProps) {
  const { value, put, problem, isReadOnly } = usePlace(path);
  const [shown, setTyped] = useTyped(value ?? standard, numberOf, textOfNumber);
  const isSeconds = unit === "s" && typeof value === "number" && Number.isInteger(value) && value >= 60;
  return (
    <Field
      {...{ label, isLabelHidden }}
      hint={hint ?? (isSeconds ? saySeconds(value) : undefined)}
      error={sentence(problem)}
      className={className}
    >
      <Input
        inputMode="decimal"
        unit={unit}
        value={shown}
        readOnly={isReadOnly}
        onChange={({ target }) => {
          setTyped(target.value);
          put(numberOf(target.value));
        }}
      />
    </Field>
  );
}

function numberOf(text: string): unknown {
  const plain = text.trim().replaceAll(",", "");
  return plain !== "" && Number.isFinite(Number(plain)) ? Number(plain) : text;
}

function textOfNumber(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

/** One item per line. An empty list is left out. */
export function ListAt({ path, label, hint, className, areNumbers }: AtProps & { areNumbers?: boolean }) {
  const { value, put, problem, isReadOnly } = usePlace(path, true);
  const itemsIn = (text: string) => (areNumbers ? linesOf(text)?.map(numberOf) : linesOf(text));
  const [shown, setTyped] = useTyped(value, itemsIn, (list) => itemsOf(list).join("\n"));
  return (
    <Field label={label} hint={hint ?? "one per line"} error={sentence(problem)} className={className}>
      <Textarea
        isMono
        rows={Math.min(6, Math.max(2, shown.split("\n").length))}
        spellCheck={false}
        value={shown}
        readOnly={isReadOnly}
        onChange={({ target }) => {
          setTyped(target.value);
          put(itemsIn(target.value));
        }}
      />
    </Field>
  );
}

function linesOf(text: string): string[] | undefined {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return lines.length > 0 ? lines : undefined;
}

interface SelectFieldProps extends Omit<AtProps, "path"> {
  value: string;
  onChange: (value: string) => void;
  options: readonly SelectOption<string>[];
  problem?: string | undefined;
  isReadOnly: boolean;
}

/** A value that is not an option is shown unchanged, because the JSON view may have written it. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, className, value, onChange, options, problem, isReadOnly } = props;
  const isKnown = options.some((one) => one.value === value);
  return (
    <Field label={label} hint={hint} error={sentence(problem)} className={className}>
      <Select
        label={label}
        value={value}
        onChange={onChange}
        options={isKnown ? options : [{ value, label: value || "choose" }, ...options]}
        isDisabled={isReadOnly}
        className="w-full"
      />
    </Field>
  );
}

interface ChoiceAtProps<V extends string | number> extends AtProps {
  options: readonly { readonly value: V; readonly label: string }[];
  standard: V;
}

/** One of several values. A missing field means `standard`. */
export function ChoiceAt<V extends string | number>(props: ChoiceAtProps<V>) {
  const { path, options, standard, ...others } = props;
  const { value = standard, put, ...place } = usePlace(path);
  return (
    <SelectField
      {...others}
      {...place}
      value={String(value)}
      onChange={(picked) => put(options.find((one) => String(one.value) === picked)?.value ?? picked)}
      options={options.map((one) => ({ ...one, value: String(one.value) }))}
    />
  );
}

export function FlagAt({ path, label, standard }: Pick<AtProps, "path" | "label"> & { standard?: false }) {
  const { value, put, problem, isReadOnly } = usePlace(path);
  return (
    <div>
      <Checkbox
        checked={value === true}
        onChange={(isChecked) => put(isChecked || standard)}
        label={label}
        isDisabled={isReadOnly}
      />
      <ProblemText problem={problem} />
    </div>
  );
}

/** What a denied client reads. */
export function MessageAt({ path }: Pick<AtProps, "path">) {
  const { value, put, problem, isReadOnly } = usePlace(path);
  return (
    <Field label="Message" hint="plain text; empty for the default" error={sentence(problem)}>
      <Textarea
        rows={2}
        value={typeof value === "string" ? value : ""}
        readOnly={isReadOnly}
        onChange={({ target }) => put(target.value === "" ? undefined : target.value)}
      />
    </Field>
  );
}

/** A problem that no single field shows. */
export function ProblemText({ problem }: { problem: string | undefined }) {
  if (!problem) return null;
  return (
    <p role="alert" className="text-cell text-blocked">
      {sentence(problem)}
    </p>
  );
}

interface FieldGroupProps extends Pick<AtProps, "hint"> {
  title: string;
  children: ReactNode;
}

/** Related fields under a title. */
export function FieldGroup({ title, hint, children }: FieldGroupProps) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-3 border-t border-border pt-3.5">
      <legend className="float-left mb-1 w-full text-body font-semibold">
        {title}
        {hint && <span className="ml-2 text-cell font-normal text-text-3">{hint}</span>}
      </legend>
      {children}
    </fieldset>
  );
}
