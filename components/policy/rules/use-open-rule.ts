"use client";

import { useCallback, useState } from "react";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { usePolicyUrl } from "../policy-url.ts";

/** Rule whose editor is open: by place here, because the name may be edited, and by name in the URL. */
export function useOpenRule({ draft }: PolicyEditor) {
  const [url, change] = usePolicyUrl();
  const [place, setPlace] = useState(() => placeOf(draft.policy.rules, url.rule));
  const open = useCallback(
    (at: number) => {
      setPlace(at);
      const name = draft.policy.rules[at]?.name;
      if (typeof name === "string") change({ rule: name });
    },
    [draft, change],
  );
  const close = () => {
    setPlace(undefined);
    change({ rule: undefined });
  };
  return { place, open, close };
}

function placeOf(
  rules: readonly { readonly name?: unknown }[],
  name: string | undefined,
): number | undefined {
  const place = rules.findIndex((rule) => rule.name === name);
  return name === undefined || place === -1 ? undefined : place;
}
