"use client";

import { Segmented } from "@/components/ui/segmented.tsx";
import { usePolicyUrl } from "./policy-url.ts";

/** Switches between the two views of the draft. */
export function ViewSwitch() {
  const [{ view }, change] = usePolicyUrl();
  return (
    <Segmented
      label="View"
      size="sm"
      value={view}
      onChange={(picked) => change({ view: picked })}
      options={[
        { value: "form", label: "Form" },
        { value: "json", label: "JSON" },
      ]}
    />
  );
}
