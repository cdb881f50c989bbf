/** How often a feed is read. */
export const everyOptions = [
  { value: "900000", label: "15 min" },
  { value: "3600000", label: "1 h" },
  { value: "21600000", label: "6 h" },
  { value: "86400000", label: "1 d" },
] as const;

/** How long keys of a feed live without being renewed. */
export const keysOptions = [
  { value: "3600000", label: "for 1 h" },
  { value: "86400000", label: "for 1 d" },
  { value: "604800000", label: "for 1 week" },
] as const;
