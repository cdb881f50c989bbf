import { classes } from "./classes.ts";
import { countText } from "./value-text.ts";

interface MeterProps {
  value: number;
  limit: number;
  /** Accessible name of the value. */
  label: string;
  /** Shows `611 / 600` beside the bar. */
  hasText?: boolean | undefined;
  className?: string | undefined;
}

/** Bar with a tick at the limit. Neutral below 80 %, amber from there, red past the tick. */
export function Meter({ value, limit, label, hasText = false, className }: MeterProps) {
  const end = Math.min(Math.max(value, limit * 1.2), limit * 2.2) || 1;
  const percent = (part: number) => `${Math.min(100, (Math.max(0, part) / end) * 100)}%`;
  const isOver = value > limit;
  const fill = isOver ? "bg-blocked-graphic/60" : value >= limit * 0.8 ? "bg-throttled-graphic" : "bg-text-2";
  return (
    <span className={classes("flex min-w-0 items-center gap-2", className)}>
      {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a meter element with colours of their own. */}
      <span
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(value, limit)}
        aria-valuenow={value}
        aria-valuetext={`${countText(value)} of ${countText(limit)}`}
        className="relative h-1.5 min-w-12 flex-1"
      >
        <span className="absolute inset-0 overflow-hidden rounded-full bg-track">
          <span
            className={classes("absolute inset-y-0 left-0", fill)}
            style={{ width: percent(Math.min(value, limit)) }}
          />
          {isOver && (
            <span
              className="absolute inset-y-0 bg-blocked-graphic"
              style={{ left: percent(limit), width: percent(value - limit) }}
            />
          )}
        </span>
        <span
          className="absolute -inset-y-0.75 w-0.5 -translate-x-1/2 bg-text"
          style={{ left: percent(limit) }}
        />
      </span>
      {hasText && (
        <span className="min-w-20 text-cell whitespace-nowrap text-text-3">
          <span className={isOver ? "font-semibold text-blocked" : "text-text"}>{countText(value)}</span>
          {` / ${countText(limit)}`}
        </span>
      )}
    </span>
  );
}
