import type { ReactNode } from "react";
import { saySeconds } from "@/lib/enforce/policy/words.ts";

interface WindowLevel {
  readonly rule: string;
  readonly periodSeconds: number;
  readonly calendar?: string | undefined;
}

interface WindowsTableProps<L> {
  label: string;
  before: readonly L[];
  /** Left out while nothing is about to change. */
  after: readonly L[] | null | undefined;
  /** Head of the only column of levels, without a change. */
  nowTitle: string;
  cell: (level: L) => ReactNode;
  /** Most that came in the window. Without it, the table has no such column. */
  peak?: (level: L) => string;
}

const head = "h-8 border-b border-border px-3.5 max-sm:px-2.5 text-left text-meta font-medium text-text-2";
const cellLook = "h-9 border-b border-border px-3.5 max-sm:px-2.5 text-cell";

/** Each window that counts, or would count. */
export function WindowsTable<L extends WindowLevel>(props: WindowsTableProps<L>) {
  const { label, before, after, nowTitle, cell, peak } = props;
  const windows = windowsOf(before, after ?? []);
  if (windows.length === 0) return null;
  const columns = [...(peak ? ["Peak"] : []), after ? "Before" : nowTitle, ...(after ? ["After"] : [])];
  return (
    <table
      aria-label={label}
      className="w-full border-separate border-spacing-0 border-t border-border [&_tbody>tr:last-child>*]:border-b-0"
    >
      <thead>
        <tr>
          {["Window", ...columns].map((name) => (
            <th key={name} scope="col" className={`${head} ${name === "Peak" ? "text-right" : ""}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {windows.map(({ name, before: was, after: is }) => {
          const latest = is ?? was;
          return (
            <tr key={name}>
              <th scope="row" className={`${cellLook} text-left font-normal wrap-anywhere`}>
                {name}
              </th>
              {peak && <td className={`${cellLook} text-right tabular-nums`}>{latest && peak(latest)}</td>}
              {(after ? [was, is] : [was]).map((level, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other key than its place.
                <td key={i} className={cellLook}>
                  {level ? cell(level) : <span className="text-text-3">no level</span>}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The rule's name is shown only if several rules count the customer. */
export function windowsOf<L extends WindowLevel>(before: readonly L[], after: readonly L[]) {
  const all = [...before, ...after];
  const rules = new Set(all.map(({ rule }) => rule));
  const nameOf = ({ rule, periodSeconds, calendar }: L) => {
    const period = calendar ?? saySeconds(periodSeconds);
    return rules.size > 1 ? `${period}, ${rule}` : period;
  };
  const ordered = all.toSorted((a, b) => a.periodSeconds - b.periodSeconds);
  return [...new Set(ordered.map(nameOf))].map((name) => ({
    name,
    before: before.find((level) => nameOf(level) === name),
    after: after.find((level) => nameOf(level) === name),
  }));
}
