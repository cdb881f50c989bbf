import { ListFilter, Search, X } from "lucide-react";
import { useState } from "react";
import { TypedInput } from "@/components/console/typed-input.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select, type SelectOption } from "@/components/ui/select.tsx";
import type { DenialParameters } from "@/lib/queries/denials.ts";

interface DenialFiltersProps {
  readonly url: DenialParameters;
  readonly onChange: (part: DenialParameters) => void;
}

// Radix keeps "" for itself.
const any = "any";
const outcomes: readonly SelectOption<"any" | "blocked" | "throttled">[] = [
  { value: any, label: "Any verdict" },
  { value: "blocked", label: "Blocked" },
  { value: "throttled", label: "Throttled" },
];

const fields = [
  ["customer", "Customer", "Customer"],
  ["rule", "Rule, entry or feed", "Rule, entry or feed"],
  ["path", "Path", "Part of the path"],
  ["app", "App", "App"],
] as const;

const times = [
  ["from", "From (UTC)"],
  ["to", "Until (UTC)"],
] as const;

/** Filters of the denial log. Without a time, the last 24 h. Phones show only the client until the others are opened. */
export function DenialFilters({ url, onChange }: DenialFiltersProps) {
  const [isOpen, setIsOpen] = useState(false);
  const given = Object.entries(url).filter(([, value]) => value !== undefined && value !== "");
  const clear = () => onChange(Object.fromEntries(given.map(([name]) => [name, undefined])));
  return (
    <search aria-label="Denial log" className="flex flex-wrap items-center gap-2">
      <Text name="client" label="Client" placeholder="Address or range" {...{ url, onChange }} />
      <Button
        icon={<ListFilter />}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="sm:hidden"
      >
        {given.length > 0 ? `Filters, ${given.length} on` : "Filters"}
      </Button>
      <div className={`contents ${isOpen ? "" : "max-sm:hidden"}`}>
        <Others {...{ url, onChange }} />
      </div>
      {given.length > 0 && (
        <Button variant="ghost" icon={<X />} onClick={clear}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface TextProps extends DenialFiltersProps {
  readonly name: "client" | (typeof fields)[number][0];
  readonly label: string;
  readonly placeholder: string;
}

function Text({ name, label, placeholder, url, onChange }: TextProps) {
  return (
    <TypedInput
      {...{ label, placeholder }}
      value={url[name] ?? ""}
      onChange={(text) => onChange({ [name]: text.trim() })}
      icon={name === "client" ? <Search /> : undefined}
      className={name === "client" ? "w-56 max-sm:min-w-0 max-sm:flex-1" : "w-44 max-sm:w-full"}
    />
  );
}

function Others({ url, onChange }: DenialFiltersProps) {
  return (
    <>
      {fields.map(([name, label, placeholder]) => (
        <Text key={name} {...{ name, label, placeholder, url, onChange }} />
      ))}
      <Select
        label="Verdict"
        value={url.outcome ?? any}
        options={outcomes}
        onChange={(value) => onChange({ outcome: value === any ? undefined : value })}
        className="max-sm:w-full"
      />
      {times.map(([name, label]) => (
        <div key={name} className="flex items-center gap-2 text-cell text-text-2 max-sm:w-full">
          <span aria-hidden className="max-sm:w-24">
            {label}
          </span>
          <Input
            type="datetime-local"
            aria-label={label}
            value={url[name] ?? ""}
            onChange={({ target }) => onChange({ [name]: target.value })}
            className="w-52 max-sm:flex-1"
          />
        </div>
      ))}
    </>
  );
}
