import { usePathname, useSearchParams } from "next/navigation";
import { useMemo } from "react";
import { type OffenderView, readOffenderView, writeOffenderView } from "./offender-view.ts";

/** View of the URL, and its setter. A change does not load the page from the server again. */
export function useOffenderView(): readonly [OffenderView, (wish: Partial<OffenderView>) => void] {
  const pathname = usePathname();
  const search = useSearchParams();
  const view = useMemo(() => readOffenderView(search), [search]);
  const change = (wish: Partial<OffenderView>) => {
    const path = `${pathname}${writeOffenderView({ ...view, ...wish }, new URLSearchParams(search))}`;
    // Back returns to the previous view.
    window.history.pushState(null, "", path);
  };
  return [view, change];
}
