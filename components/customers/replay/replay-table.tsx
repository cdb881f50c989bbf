import { countText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import type { CustomerReplay, ReplayLevel } from "@/lib/queries/customer-day.ts";
import { windowsOf } from "./replay-words.ts";

interface ReplayTableProps {
  mode: CustomerReplay["mode"];
  before: readonly ReplayLevel[];
  /** Left out while nothing is about to change. */
  after: readonly ReplayLevel[] | undefined;
}

const head = "h-8 border-b border-border px-3.5 max-sm:px-2.5 text-left text-meta font-medium text-text-2";
const cell = "h-9 border-b border-border px-3.5 max-sm:px-2.5 text-cell";

/** Each window with the most that came in it, against its limit. */
export function ReplayTable({ mode, before, after }: ReplayTableProps) {
  const windows = windowsOf(before, after ?? []);
  if (windows.length === 0) return null;
  return (
    <table
      aria-label="Windows, replayed"
      className="w-full border-separate border-spacing-0 border-t border-border [&_tbody>tr:last-child>*]:border-b-0"
    >
      <thead>
        <tr>
          {["Window", "Peak", after ? "Before" : "Limit", ...(after ? ["After"] : [])].map((name, i) => (
            <th key={name} scope="col" className={`${head} ${i === 1 ? "text-right" : ""}`}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {windows.map((window) => (
          <tr key={window.name}>
            <th scope="row" className={`${cell} text-left font-normal wrap-anywhere`}>
              {window.name}
            </th>
            <td className={`${cell} text-right tabular-nums`}>{countText(window.peak)}</td>
            <td className={cell}>
              <Against level={window.before} mode={mode} />
            </td>
            {after && (
              <td className={cell}>
                <Against level={window.after} mode={mode} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Against({ level, mode }: { level: ReplayLevel | undefined; mode: CustomerReplay["mode"] }) {
  if (!level) return <span className="text-text-3">no level</span>;
  const isOver = level.denied > 0 || level.peak > level.limit;
  const over = mode === "enforce" && !level.isShadowed ? "throttled" : "shadow";
  return (
    <VerdictBadge verdict={isOver ? over : "pass"}>
      {`${countText(level.peak)} / ${countText(level.limit)}`}
    </VerdictBadge>
  );
}
