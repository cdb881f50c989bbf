/** The heading of the next page takes the focus, if no other element has it by then. */
let isWanted = false;

/** Moves the focus to the heading of the page that is being opened. */
export function focusNextHeading(): void {
  isWanted = true;
}

/** Moves the focus to the heading of this page. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}

/** Ref of a page's heading. The heading of a page that still loads hands the focus on to the heading that replaces it. */
export function headingRef(heading: HTMLHeadingElement | null): (() => void) | undefined {
  if (!heading) return undefined;
  if (isWanted && document.activeElement === document.body) heading.focus();
  isWanted = false;
  return () => {
    if (document.activeElement === heading) isWanted = true;
  };
}
