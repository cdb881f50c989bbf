import { isFields, itemsOf } from "../draft/document.ts";

const periods = [300, 3_600, 86_400, 60, 604_800, 10, 1_800, 43_200];

/** A new level with an unused period. */
export function addedLevel(levels: readonly unknown[], isRate: boolean): object {
  const field = isRate ? "halfLifeSeconds" : "periodSeconds";
  const taken = new Set(levels.map((level) => isFields(level) && level[field]));
  const seconds = periods.find((period) => !taken.has(period)) ?? 60;
  return isRate ? { limitPerSecond: 10, halfLifeSeconds: seconds } : { limit: 300, periodSeconds: seconds };
}

/** The levels for another algorithm. A limit per period becomes a rate, and back. */
export function convertedLevels(levels: unknown, isRate: boolean): unknown {
  if (levels === "tier") return isRate ? [addedLevel([], true)] : levels;
  return itemsOf(levels).map((level) => (isFields(level) ? converted(level, isRate) : level));
}

function converted(level: Readonly<Record<string, unknown>>, isRate: boolean): unknown {
  const { limit, periodSeconds, limitPerSecond, halfLifeSeconds } = level;
  if (isRate && typeof limit === "number" && typeof periodSeconds === "number" && periodSeconds > 0)
    return { limitPerSecond: Number((limit / periodSeconds).toPrecision(3)), halfLifeSeconds: periodSeconds };
  if (!isRate && typeof limitPerSecond === "number" && typeof halfLifeSeconds === "number") {
    const seconds = Math.max(1, Math.round(halfLifeSeconds));
    return { limit: Math.max(1, Math.round(limitPerSecond * seconds)), periodSeconds: seconds };
  }
  return level;
}
