import { ArrowDownUp, ChevronDown, Funnel, UserRound } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Chip } from "@/components/ui/chip.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Menu } from "@/components/ui/menu.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { counted } from "@/components/ui/value-text.ts";
import type { Offender } from "@/lib/queries/offenders.ts";
import {
  asOf,
  type Choice,
  choicesOf,
  countryOf,
  hasCustomer,
  isBlocked,
  isFiltered,
  type OffenderSort,
  type OffenderView,
  pathsOf,
  plainView,
  toolsOf,
  withSort,
} from "./offender-view.ts";
import { SavedViews } from "./saved-views-menu.tsx";

interface FilterBarProps {
  /** All clients that were read, without the filter. */
  clients: readonly Offender[];
  view: OffenderView;
  onView: (wish: Partial<OffenderView>) => void;
}

const networks = [
  { value: "as", label: "AS" },
  { value: "country", label: "Country" },
  { value: "range", label: "/24" },
] as const;

const sorts: Readonly<Record<OffenderSort, string>> = {
  denied: "Denied/s",
  requests: "Requests/s",
  ratio: "Counter / limit",
  estimate: "Estimate",
  clears: "Clears in",
  client: "Client",
};

/** Groups, filters and saved views, all of which are in the URL. The app is chosen at the top of the page. */
export function FilterBar({ clients, view, onView }: FilterBarProps) {
  const { group, isCustomers, isUnblocked } = view;
  const [isOpen, setIsOpen] = useState(false);
  const kind = group === "client" || group === "tool" ? group : "network";
  const unblocked = (
    <Chip
      isOn={isUnblocked}
      count={clients.filter((client) => !isBlocked(client)).length}
      onClick={() => onView({ isUnblocked: !isUnblocked })}
    >
      Not yet blocked
    </Chip>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex box in every browser.
    <div
      role="group"
      aria-label="Filters"
      className="flex min-h-10 flex-wrap items-center gap-1.5 px-3.5 pb-2 max-sm:gap-2"
    >
      <Segmented
        label="Group by"
        value={kind}
        onChange={(next) => onView({ group: next === "network" ? "as" : next })}
        options={[
          { value: "client", label: "Clients" },
          { value: "network", label: "Networks" },
          { value: "tool", label: "Tools" },
        ]}
      />
      {kind === "network" && (
        <Segmented
          label="Networks by"
          value={group as (typeof networks)[number]["value"]}
          onChange={(next) => onView({ group: next })}
          options={networks}
        />
      )}
      <Button
        icon={<Funnel />}
        aria-expanded={isOpen}
        className="rounded-full sm:hidden"
        onClick={() => setIsOpen((was) => !was)}
      >
        Filter
      </Button>
      <div className={classes("contents", !isOpen && "max-sm:hidden")}>
        <Filters {...{ clients, view, onView }} />
        <Chip
          isOn={isCustomers}
          icon={<UserRound className="size-3.5" />}
          count={clients.filter(hasCustomer).length}
          onClick={() => onView({ isCustomers: !isCustomers })}
        >
          Customers
        </Chip>
        {unblocked}
        {isFiltered(view) && (
          <Button
            variant="ghost"
            onClick={() => onView({ ...plainView, group, sort: view.sort, dir: view.dir })}
          >
            Clear filters
          </Button>
        )}
        <span className="ml-auto inline-flex gap-1.5">
          <Menu
            label="Sort by"
            trigger={
              <Button icon={<ArrowDownUp />} className="@min-[54rem]/card:hidden">
                {sorts[view.sort]}
              </Button>
            }
            items={Object.entries(sorts).map(([sort, label]) => ({
              label,
              onSelect: () => onView(withSort(view, sort as OffenderSort)),
            }))}
          />
          <SavedViews />
        </span>
      </div>
    </div>
  );
}

function Filters({ clients, view, onView }: FilterBarProps) {
  return (
    <>
      <ChoiceMenu
        name="Tool"
        any="Any tool"
        chosen={view.tool}
        choices={choicesOf(clients, toolsOf)}
        onChoose={(tool) => onView({ tool })}
      />
      <ChoiceMenu
        name="Path"
        any="Any path"
        hint="Matches the newest samples of a client, 4 paths at most"
        chosen={view.path}
        choices={choicesOf(clients, pathsOf)}
        onChoose={(path) => onView({ path })}
      />
      <ChoiceMenu
        name="Network"
        any="Any network"
        chosen={view.network}
        choices={[...choicesOf(clients, asOf).slice(0, mostChoices), ...choicesOf(clients, countryOf)]}
        onChoose={(network) => onView({ network })}
      />
    </>
  );
}

interface ChoiceMenuProps {
  name: string;
  any: string;
  hint?: string;
  chosen: string | undefined;
  choices: readonly Choice[];
  onChoose: (value: string | undefined) => void;
}

const mostChoices = 15;
const longestShown = 24;

const cut = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown - 1)}…` : text);

function ChoiceMenu({ name, any, hint, chosen, choices, onChoose }: ChoiceMenuProps) {
  return (
    <Menu
      label={`Filter by ${name.toLowerCase()}`}
      align="start"
      trigger={
        <Button
          aria-label={`${name}: ${chosen ?? "any"}`}
          className={classes("rounded-full", chosen !== undefined && "border-text-3 bg-raised")}
        >
          {chosen === undefined ? name : `${name}: ${cut(chosen)}`}
          <ChevronDown className="size-3.5" />
        </Button>
      }
      items={[
        { label: any, hint, onSelect: () => onChoose(undefined) },
        ...choices.slice(0, 2 * mostChoices).map(({ value, text, count }) => ({
          label: text,
          hint: counted(count, "client"),
          onSelect: () => onChoose(value),
        })),
      ]}
    />
  );
}
