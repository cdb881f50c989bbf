import { Search } from "lucide-react";
import { TypedInput } from "@/components/console/typed-input.tsx";
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
  ["client", "Client", "Address or range"],
  ["customer", "Customer", "Customer"],
  ["rule", "Rule, entry or feed", "Rule, entry or feed"],
  ["path", "Path", "Part of the path"],
  ["app", "App", "App"],
] as const;

const times = [
  ["from", "From (UTC)"],
  ["to", "Until (UTC)"],
] as const;

/** Filters of the denial log. Without a time, the last 24 h. */
export function DenialFilters({ url, onChange }: DenialFiltersProps) {
  return (
    <search aria-label="Denial log" className="flex flex-wrap items-center gap-2">
      {fields.map(([name, label, placeholder]) => (
        <TypedInput
          key={name}
          label={label}
          placeholder={placeholder}
          value={url[name] ?? ""}
          onChange={(text) => onChange({ [name]: text.trim() })}
          icon={name === "client" ? <Search /> : undefined}
          className="w-44 max-sm:w-[calc(50%-4px)]"
        />
      ))}
      <Select
        label="Verdict"
        value={url.outcome ?? any}
        options={outcomes}
        onChange={(value) => onChange({ outcome: value === any ? undefined : value })}
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
    </search>
  );
}
