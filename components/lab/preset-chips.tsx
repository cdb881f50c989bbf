import { Chip } from "@/components/ui/chip.tsx";
import { isPresetName, presets, presetWords } from "./run/presets.ts";
import type { Run } from "./run/run.ts";
import { presetOf } from "./run/run-url.ts";

/** Runs to start from. The one that is on screen unchanged is marked. */
export function PresetChips({ run, change }: { run: Run; change: (wish: Partial<Run>) => void }) {
  const chosen = presetOf(run);
  const names = Object.keys(presetWords).filter(isPresetName);
  return (
    <section aria-label="Start from" className="flex flex-wrap items-center gap-1.5">
      <span className="mr-1 text-cell text-text-2 max-sm:w-full">Start from</span>
      {names.map((name) => (
        <Chip key={name} isOn={name === chosen} onClick={() => change(presets[name])}>
          {presetWords[name]}
        </Chip>
      ))}
    </section>
  );
}
