"use client";

import { useState } from "react";
import { Button } from "../../../../components/ui/button.tsx";
import { LinkButton } from "../../../../components/ui/link-button.tsx";
import { Segmented } from "../../../../components/ui/segmented.tsx";
import { algorithmNames } from "../_run/algorithm-names.ts";
import { draftHref } from "../_run/draft.ts";
import { type Run, type Side, sides } from "../_run/run.ts";

const words = "Use these parameters in a rule";

/** Leads to a draft of a rule. Nothing is saved before somebody saves it there. */
export function UseInRule({ run, mayWriteRules }: { run: Run; mayWriteRules: boolean }) {
  const [side, setSide] = useState<Side>("b");
  return (
    <section aria-label={words} className="flex flex-col gap-2">
      <Segmented
        label="Limiter to use in a rule"
        value={side}
        onChange={setSide}
        options={sides.map((value) => ({
          value,
          label: `${value.toUpperCase()} · ${algorithmNames[run[value].algorithm]}`,
        }))}
        className="w-full! flex-wrap"
      />
      {mayWriteRules ? (
        <LinkButton variant="primary" size="lg" href={draftHref(run[side], run.overageWeight)}>
          {words}
        </LinkButton>
      ) : (
        <Button variant="primary" size="lg" disabledReason="Only an admin changes the policy">
          {words}
        </Button>
      )}
    </section>
  );
}
