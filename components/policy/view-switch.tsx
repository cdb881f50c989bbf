"use client";

import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { PolicyEditor } from "./draft/use-policy.ts";
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

/** Shown beside the forms while they cannot show the text of the JSON view. */
export function Locked({ editor: { standing } }: { editor: PolicyEditor }) {
  const [{ view }, change] = usePolicyUrl();
  if (!standing.isLocked || view === "json") return null;
  return (
    <Banner
      tone="throttled"
      title="The JSON view holds text that is not a policy yet. The text is kept"
      actions={<Button onClick={() => change({ view: "json" })}>Edit the JSON</Button>}
    >
      This page shows the last text that could be read. To change it, first fix or discard the text in the
      JSON view.
    </Banner>
  );
}
