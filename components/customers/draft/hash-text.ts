import { type Level, levelsSchema } from "@/lib/enforce/policy/levels.ts";
import { inOrder } from "./level-rows.ts";

export type ReadHash =
  | { readonly levels: readonly Level[]; readonly problem?: undefined }
  | { readonly levels?: undefined; readonly problem: string };

/** The hash as Redis holds it, period in seconds → limit. */
export function writeHash(levels: readonly Level[]): string {
  const pairs = inOrder(levels).map(({ limit, periodSeconds }) => `"${periodSeconds}": ${limit}`);
  return `{${pairs.join(", ")}}`;
}

/** Reads it back, held to the same rules as rows. */
export function readHash(text: string): ReadHash {
  const fields = parse(text);
  if (!fields) return { problem: 'Write JSON: {"60": 100, "3600": 1000}' };
  const levels: Level[] = [];
  for (const [period, limit] of Object.entries(fields)) {
    const shown = JSON.stringify(period.slice(0, 30));
    if (!/^\d+$/.test(period)) return { problem: `${shown} is not a period: use whole seconds` };
    if (!/^\d+$/.test(String(limit))) return { problem: `The limit of ${shown} is not a whole number` };
    levels.push({ limit: Number(limit), periodSeconds: Number(period) });
  }
  const parsed = levelsSchema.safeParse(levels);
  if (parsed.success) return { levels: inOrder(parsed.data) };
  const [issue] = parsed.error.issues;
  const level = typeof issue?.path[0] === "number" ? levels[issue.path[0]] : undefined;
  const what = level ? `"${level.periodSeconds}": ` : "";
  return { problem: `${what}${issue?.message ?? "not valid"}` };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
