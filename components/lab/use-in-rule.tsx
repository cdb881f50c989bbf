"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { algorithmName } from "./run/algorithm-names.ts";
import { draftHref } from "./run/draft.ts";
import { type Run, type Side, sides } from "./run/run.ts";

const words = "Use these parameters in a rule";

/** Opens a draft of a rule. Nothing is saved until an admin saves it there. */
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
          label: `${value.toUpperCase()} · ${algorithmName(run[value].algorithm)}`,
        }))}
        className="w-full! flex-wrap"
      />
      {mayWriteRules ? (
        <LinkButton variant="primary" size="lg" href={draftHref(run[side], run.overageWeight)}>
          {words}
        </LinkButton>
      ) : (
        <Button variant="primary" size="lg" disabledReason="Only admins can change the policy">
          {words}
        </Button>
      )}
    </section>
  );
}
