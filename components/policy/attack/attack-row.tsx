"use client";

import { ArrowDown, Pencil, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Td, Tr } from "@/components/ui/data-table.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { sayMatch, saySeconds } from "@/lib/enforce/policy/words.ts";
import { isFields, itemsOf } from "../draft/document.ts";
import { attackRulesOf, type FormRule } from "../draft/draft.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { NumberAt } from "../rules/fields.tsx";
import { FormScopeProvider } from "../rules/form-scope.tsx";
import { nameOf, ruleIn, sayCountedBy, sayLimits } from "../rules/rule-words.ts";
import { inserted, removed } from "../rules/rules.ts";
import { type AttackRow, type Placed, shareOf, tightened } from "./attack-rules.ts";
import { sayHour } from "./last-hour-words.ts";
import type { LastHour } from "./use-last-hours.ts";

interface AttackRowProps {
  editor: PolicyEditor;
  row: AttackRow;
  /** Undefined without an attack rule. */
  hour: LastHour | undefined;
  /** Opens all fields of an attack rule. */
  onOpen: (place: number) => void;
}

export function AttackTableRow(props: AttackRowProps) {
  const { editor, row } = props;
  return (
    <Tr>
      <Td className="py-1.5">
        <Name {...props} />
      </Td>
      <Td className="py-1.5 text-text-3">
        {row.ordinary ? <Ordinary editor={editor} of={row.ordinary.rule} /> : "–"}
      </Td>
      <Td className="py-1.5">
        <Strict {...props} />
      </Td>
      <Td isNumber className="py-1.5">
        <Hour {...props} />
      </Td>
      <Td className="w-0 pl-0!">
        <RowMenu {...props} />
      </Td>
    </Tr>
  );
}

/** The same for narrow windows. */
export function AttackItem(props: AttackRowProps) {
  const { editor, row, hour } = props;
  return (
    <li className="flex flex-col gap-2 border-t border-border px-3.5 py-3 text-cell">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <Name {...props} />
        </div>
        <RowMenu {...props} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        {row.ordinary && (
          <Fact label="Ordinary limit">
            <Ordinary editor={editor} of={row.ordinary.rule} />
          </Fact>
        )}
        <Fact label="In attack mode">
          <Strict {...props} />
        </Fact>
        {hour && hour.is !== "not asked" && (
          <Fact label="Last hour">
            <Hour {...props} />
          </Fact>
        )}
      </dl>
    </li>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-text-3">{label}</dt>
      <dd className="m-0 min-w-0">{children}</dd>
    </>
  );
}

/** The name opens all fields of the attack rule. A rule without one has none to open. */
function Name({ editor, row, onOpen }: AttackRowProps) {
  const { ordinary, attack } = row;
  const shown = ordinary ?? attack;
  if (!shown) return null;
  const said = ruleIn(editor.draft.policy, shown.rule);
  const name = <Untrusted text={nameOf(shown.rule, shown.place)} max={64} />;
  return (
    <>
      <span className="flex flex-wrap items-center gap-x-2">
        {attack && !ordinary ? (
          <button
            type="button"
            onClick={() => onOpen(attack.place)}
            className="min-h-6 rounded-control text-left font-mono font-medium hover:underline max-sm:min-h-11"
          >
            {name}
          </button>
        ) : (
          <span className="font-mono font-medium">{name}</span>
        )}
        <Badges {...{ editor, row }} />
      </span>
      {said && (
        <span className="block text-meta text-text-3">
          by <Untrusted text={sayCountedBy(said.client)} max={60} />;{" "}
          <Untrusted text={sayMatch(said.match)} max={120} className="wrap-anywhere" />
        </span>
      )}
    </>
  );
}

function Badges({
  editor: { draft, standing },
  row: { ordinary, attack },
}: Pick<AttackRowProps, "editor" | "row">) {
  const start = `attack.rules[${attack?.place}]`;
  const problems = attack ? standing.problems.filter(({ path }) => path.startsWith(start)).length : 0;
  const base = attackRulesOf(draft.base).find(({ name }) => name === attack?.rule.name);
  const isChanged = attack && JSON.stringify(base) !== JSON.stringify(attack.rule);
  const mode = ordinary ? (ordinary.rule.mode ?? "enforce") : "enforce";
  return (
    <>
      {problems > 0 && <Badge tone="blocked">{counted(problems, "problem")}</Badge>}
      {problems === 0 && isChanged && <Badge tone="plain">{base ? "changed" : "new"}</Badge>}
      {!ordinary && <Badge tone="throttled">only in attack mode</Badge>}
      {mode !== "enforce" && (
        <Badge tone={mode === "shadow" ? "shadow" : "plain"}>{`ordinary: ${mode}`}</Badge>
      )}
    </>
  );
}

function Ordinary({ editor, of }: { editor: PolicyEditor; of: FormRule }) {
  const said = ruleIn(editor.draft.policy, of);
  if (!said) return "–";
  return sayLimits(said).map(({ limit, per }) => (
    <div key={per} className="flex min-h-8 items-center gap-x-1 whitespace-nowrap max-lg:min-h-6">
      <span className="font-semibold text-text">{limit}</span> {per}
    </div>
  ));
}

/** The limits of the attack rule, each with its share of the ordinary one; or that the rule stays as it is. */
function Strict({ editor, row }: AttackRowProps) {
  const { ordinary, attack } = row;
  if (!attack)
    return (
      <span className="flex flex-wrap items-center gap-x-3 text-text-3">
        {ordinary?.rule.levels === "tier" ? "limits of the tiers stay" : "stays as it is"}
        {editor.mayEdit && (
          <Button
            size="sm"
            icon={<ArrowDown />}
            aria-label={`Tighten to half: ${nameOf(ordinary?.rule ?? {}, ordinary?.place ?? 0)}`}
            onClick={() => editor.edit((policy) => tightened(policy, row, 0.5))}
          >
            Tighten to half
          </Button>
        )}
      </span>
    );
  const mode = attack.rule.mode ?? "enforce";
  return (
    <FormScopeProvider editor={editor} root={["attack", "rules", attack.place]}>
      <Levels editor={editor} attack={attack} usual={ordinary?.rule} />
      {mode !== "enforce" && (
        <Badge tone={mode === "shadow" ? "shadow" : "plain"}>
          {mode === "shadow" ? "shadow: denies nothing" : "off"}
        </Badge>
      )}
    </FormScopeProvider>
  );
}

interface LevelsProps {
  editor: PolicyEditor;
  attack: Placed;
  usual: FormRule | undefined;
}

function Levels({ editor, attack: { rule, place }, usual }: LevelsProps) {
  const said = ruleIn(editor.draft.policy, rule);
  const lines = said && sayLimits(said);
  if (rule.levels === "tier" || !editor.mayEdit)
    return lines?.map(({ limit, per }, i) => (
      <div key={per} className="flex min-h-8 flex-wrap items-center gap-x-1.5 text-text-3 max-lg:min-h-6">
        <span>
          <span className="font-semibold text-text">{limit}</span> {per}
        </span>
        <Share of={itemsOf(rule.levels)[i]} usual={usual} />
      </div>
    ));
  return (
    <div className="flex flex-col gap-1">
      {itemsOf(rule.levels).map((level, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a level has no other key than its place.
        <div key={i} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-text-3">
          <NumberAt
            path={["levels", i, isFields(level) && "limitPerSecond" in level ? "limitPerSecond" : "limit"]}
            label={`Limit of ${nameOf(rule, place)} ${sayPer(level)}`}
            isLabelHidden
            className="max-w-60 *:nth-2:w-24"
          />
          <span className="whitespace-nowrap">{sayPer(level)}</span>
          <Share of={level} usual={usual} />
        </div>
      ))}
    </div>
  );
}

/** Also while the limit itself has problems. */
function sayPer(level: unknown): string {
  if (!isFields(level)) return "";
  const { periodSeconds, period, halfLifeSeconds } = level;
  if (typeof period === "string") return `per ${period}`;
  if (typeof periodSeconds === "number") return `per ${saySeconds(periodSeconds)}`;
  return typeof halfLifeSeconds === "number" ? `/s, half-life ${saySeconds(halfLifeSeconds)}` : "";
}

/** "50%", or that it is no stricter. */
function Share({ of, usual }: { of: unknown; usual: FormRule | undefined }) {
  const share = shareOf(of, usual);
  if (share === undefined) return null;
  if (share >= 1) return <span className="font-medium text-throttled">not stricter</span>;
  return <span className="whitespace-nowrap">{Math.max(1, Math.round(share * 100))}%</span>;
}

function Hour({ hour }: AttackRowProps) {
  if (!hour) return <span className="text-text-3">–</span>;
  const { says, more } = sayHour(hour);
  const isKnown = hour.is === "known";
  return (
    <>
      <span className={isKnown && hour.requests > 0 ? "font-semibold" : "text-text-3"}>{says}</span>
      {more !== undefined && (
        <span
          className={`block text-meta ${isKnown && hour.customers > 0 ? "text-throttled" : "text-text-3"}`}
        >
          {more}
        </span>
      )}
    </>
  );
}

function RowMenu({ editor, row: { ordinary, attack }, onOpen }: AttackRowProps) {
  const toast = useToast();
  if (!attack) return null;
  const name = nameOf(attack.rule, attack.place);
  const at = { kind: "attack", place: attack.place } as const;
  const remove = () => {
    editor.edit((policy) => removed(policy, at));
    const undo = () => editor.edit((policy) => inserted(policy, at, attack.rule));
    toast({ tone: "plain", title: `${name} removed from the draft`, undo: { label: "Undo", run: undo } });
  };
  const items: MenuItem[] = [
    {
      label: editor.mayEdit ? "Edit all fields" : "View all fields",
      icon: <Pencil />,
      onSelect: () => onOpen(attack.place),
    },
  ];
  if (editor.mayEdit)
    items.push({
      label: ordinary ? "Leave the rule as it is" : "Remove",
      icon: <Trash2 />,
      onSelect: remove,
      isDanger: true,
    });
  return <Menu label={`Actions for ${name}`} items={items} />;
}
