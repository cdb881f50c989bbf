"use client";

import { Banner } from "../../../../components/ui/banner.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { usePolicyUrl } from "../_draft/use-policy-url.ts";

/** Forms cannot show what stands in the JSON view. */
export function Locked({ editor: { standing } }: { editor: PolicyEditor }) {
  const [{ view }, change] = usePolicyUrl();
  if (!standing.isLocked || view === "json") return null;
  return (
    <Banner
      tone="throttled"
      title="The JSON view holds text that is not a policy yet. It is kept"
      actions={<Button onClick={() => change({ view: "json" })}>Go on with the JSON</Button>}
    >
      What is shown here was the last that could be read, and cannot be changed until the text is mended or
      discarded.
    </Banner>
  );
}
