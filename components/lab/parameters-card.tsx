import { Undo2 } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { LimiterFields } from "./limiter-fields.tsx";
import { OverageFields } from "./overage-fields.tsx";
import { PhasesEditor } from "./phases-editor.tsx";
import { presets, usualPreset } from "./run/presets.ts";
import type { Run } from "./run/run.ts";
import { UseInRule } from "./use-in-rule.tsx";

export interface ParametersCardProps {
  run: Run;
  change: (wish: Partial<Run>) => void;
  mayWriteRules: boolean;
}

export function ParametersCard({ run, change, mayWriteRules }: ParametersCardProps) {
  return (
    <Card
      title="Parameters"
      isFlush
      actions={
        <Button variant="ghost" icon={<Undo2 />} onClick={() => change(presets[usualPreset])}>
          Reset
        </Button>
      }
    >
      <div className="divide-y divide-border [&>*]:p-3.5 [&>*:first-child]:pt-0.5">
        <div>
          <LimiterFields name="Limiter A" limiter={run.a} onChange={(a) => change({ a })} />
        </div>
        <div>
          <LimiterFields name="Limiter B" limiter={run.b} onChange={(b) => change({ b })} />
        </div>
        <div>
          <PhasesEditor run={run} change={change} />
        </div>
        <div>
          <OverageFields run={run} change={change} />
        </div>
        <div>
          <UseInRule run={run} mayWriteRules={mayWriteRules} />
        </div>
      </div>
    </Card>
  );
}
