import { ListFilter, Search, X } from "lucide-react";
import { useState } from "react";
import { TypedInput } from "@/components/console/typed-input.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Select, type SelectOption } from "@/components/ui/select.tsx";
import { everything, type FilterProps, filterCount, type Period } from "./audit-url.ts";

// Radix keeps "" for itself.
const any = "any";

/** Others get none of these records. */
const forAdmins = "for admins only";

const actions: readonly SelectOption<string>[] = [
  { value: any, label: "Every action" },
  { value: "blocklist", label: "Blocklist" },
  { value: "safelist", label: "Safelist" },
  { value: "never-block", label: "Protected ranges" },
  { value: "customer", label: "Customers" },
  { value: "note", label: "Notes" },
  { value: "policy", label: "Policy and mode" },
  { value: "link", label: "Links" },
  { value: "user", label: "Users and roles", hint: forAdmins },
  { value: "token", label: "API tokens", hint: forAdmins },
  { value: "sign-in", label: "Sign-ins", hint: forAdmins },
  { value: "undo", label: "Undone changes" },
  { value: "refused:", label: "Refused attempts" },
];

const doors: readonly SelectOption<string>[] = [
  { value: any, label: "Any source" },
  { value: "console", label: "Console" },
  { value: "cli", label: "Command line" },
  { value: "api", label: "API" },
  { value: "auto", label: "Rules that ban" },
];

const periodOptions: readonly SelectOption<Period>[] = [
  { value: "all", label: "All time" },
  { value: "1h", label: "Last hour" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "30d", label: "Last 30 days" },
  { value: "days", label: "Days…" },
];

/** Filters of the log. Phones show only the search until the others are opened. */
export function FilterBar({ url, onChange }: FilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = filterCount(url);
  return (
    <search aria-label="Audit log" className="flex flex-wrap items-center gap-2">
      <TypedInput
        label="Search reasons, people and targets"
        placeholder="Reason, person or target"
        value={url.text}
        onChange={(text) => onChange({ text }, true)}
        icon={<Search />}
        className="w-60 max-sm:min-w-0 max-sm:flex-1"
      />
      <Button
        icon={<ListFilter />}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="sm:hidden"
      >
        {count > 0 ? `Filters, ${count} on` : "Filters"}
      </Button>
      <div className={`contents ${isOpen ? "" : "max-sm:hidden"}`}>
        <Choices url={url} onChange={onChange} />
      </div>
      {count > 0 && (
        <Button variant="ghost" icon={<X />} onClick={() => onChange(everything)}>
          Clear
        </Button>
      )}
    </search>
  );
}

const wide = "max-sm:w-full";

function Choices({ url, onChange }: FilterProps) {
  return (
    <>
      <TypedInput
        label="Address, range or customer"
        placeholder="Address or customer"
        value={url.target}
        onChange={(target) => onChange({ target }, true)}
        isMono
        className={`w-44 ${wide}`}
      />
      <TypedInput
        label="Who did it"
        placeholder="Who"
        value={url.actor}
        onChange={(actor) => onChange({ actor }, true)}
        className={`w-36 ${wide}`}
      />
      <Select
        label="Action"
        value={url.action || any}
        options={withOwn(actions, url.action)}
        onChange={(action) => onChange({ action: action === any ? "" : action })}
        className={wide}
      />
      <Select
        label="Source"
        value={url.via || any}
        options={withOwn(doors, url.via)}
        onChange={(via) => onChange({ via: via === any ? "" : via })}
        className={wide}
      />
      <Select
        label="Period"
        value={url.period}
        options={periodOptions}
        onChange={(period) => onChange({ period })}
        className={wide}
      />
      {url.period === "days" && <DayRange url={url} onChange={onChange} />}
    </>
  );
}

/** A link may look for what is not among the choices, such as one single action. */
function withOwn(options: readonly SelectOption<string>[], value: string): readonly SelectOption<string>[] {
  if (value === "" || options.some((option) => option.value === value)) return options;
  return [...options, { value, label: value.replace(/[^ -~]/g, "\ufffd").slice(0, 40) }];
}

/** Days in UTC, both of them whole. */
function DayRange({ url: { from, to }, onChange }: FilterProps) {
  const input = { type: "date", className: "max-sm:flex-1" };
  return (
    <span className="flex items-center gap-1.5 text-cell text-text-3 max-sm:w-full">
      <Input
        {...input}
        aria-label="First day, UTC"
        value={from}
        max={to || undefined}
        onChange={({ target }) => onChange({ from: target.value }, true)}
      />
      to
      <Input
        {...input}
        aria-label="Last day, UTC"
        value={to}
        min={from || undefined}
        onChange={({ target }) => onChange({ to: target.value }, true)}
      />
    </span>
  );
}
