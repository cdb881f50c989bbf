/** One grid for the head and each row; a phone shows a level in two lines. */
export const levelColumns =
  "grid gap-x-3 gap-y-2 px-3.5 sm:grid-cols-[190px_112px_minmax(120px,1fr)_84px_28px] max-sm:grid-cols-[1fr_auto]";
