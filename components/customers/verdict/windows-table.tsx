import { countText, decimalText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import { saySeconds } from "@/lib/enforce/policy/words.ts";
import type { CustomerNow, LevelUsage } from "@/lib/queries/customer.ts";
import { verdictOf } from "./verdict.ts";

interface WindowsTableProps {
  mode: CustomerNow["mode"];
  before: readonly LevelUsage[];
  /** Left out while nothing is about to change. */
  after: readonly LevelUsage[] | null | undefined;
}

interface Window {
  readonly name: string;
  readonly before: LevelUsage | undefined;
  readonly after: LevelUsage | undefined;
}

const head = "h-8 border-b border-border px-3.5 text-left text-meta font-medium text-text-2";
const cell = "h-9 border-b border-border px-3.5 text-cell";

/** Each window that counts, or would count, with what is used of it. */
export function WindowsTable({ mode, before, after }: WindowsTableProps) {
  const windows = windowsOf(before, after ?? []);
  if (windows.length === 0) return null;
  return (
    <table
      aria-label="Levels, before and after"
      className="w-full border-separate border-spacing-0 border-t border-border [&_tbody>tr:last-child>*]:border-b-0"
    >
      <thead>
        <tr>
          <th scope="col" className={head}>
            Window
          </th>
          <th scope="col" className={head}>
            {after ? "Before" : "Used"}
          </th>
          {after && (
            <th scope="col" className={head}>
              After
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {windows.map((window) => (
          <tr key={window.name}>
            <th scope="row" className={`${cell} text-left font-normal wrap-anywhere`}>
              {window.name}
            </th>
            <td className={cell}>
              <Used usage={window.before} mode={mode} />
            </td>
            {after && (
              <td className={cell}>
                <Used usage={window.after} mode={mode} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Used({ usage, mode }: { usage: LevelUsage | undefined; mode: CustomerNow["mode"] }) {
  if (!usage) return <span className="text-text-3">no level</span>;
  const { name } = verdictOf([usage], mode);
  const isEstimate = isRate(usage.algorithm);
  const used = isEstimate ? decimalText(usage.used) : countText(Math.round(usage.used));
  return (
    <VerdictBadge verdict={name === "none" ? "pass" : name}>
      {`${used} / ${countText(usage.limit)}${isEstimate ? "/s" : ""}`}
    </VerdictBadge>
  );
}

/** The rule's name is shown only if several rules count the customer. */
function windowsOf(before: readonly LevelUsage[], after: readonly LevelUsage[]): Window[] {
  const rules = new Set([...before, ...after].map(({ rule }) => rule));
  const nameOf = ({ rule, periodSeconds }: LevelUsage) =>
    rules.size > 1 ? `${saySeconds(periodSeconds)}, ${rule}` : saySeconds(periodSeconds);
  const ordered = [...before, ...after].toSorted((a, b) => a.periodSeconds - b.periodSeconds);
  return [...new Set(ordered.map(nameOf))].map((name) => ({
    name,
    before: before.find((usage) => nameOf(usage) === name),
    after: after.find((usage) => nameOf(usage) === name),
  }));
}
