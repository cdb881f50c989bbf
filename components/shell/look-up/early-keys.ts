/** What a user types after opening the look-up and before its code has come. */
export interface EarlyKeys {
  /** Ends the collection. Undefined if it has ended. */
  end(): { readonly text: string; readonly isEntered: boolean } | undefined;
}

/** Collects keys from now on, so that none is lost and none is a shortcut of the page. */
export function collectKeys(onEscape: () => void): EarlyKeys {
  let text = "";
  let isEntered = false;
  let isOver = false;
  const end = () => {
    if (isOver) return undefined;
    isOver = true;
    document.removeEventListener("keydown", take, true);
    return { text, isEntered };
  };
  const take = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key === "Escape") {
      end();
      onEscape();
    } else if (key === "Enter") isEntered = true;
    else if (key === "Backspace") text = text.slice(0, -1);
    else if (key.length === 1) text += key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", take, true);
  return { end };
}
