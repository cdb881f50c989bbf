/** Thin grey hatching. Blocked requests have thick red hatching in the other direction. */
export function MissingPattern({ id, size = 7 }: { id: string; size?: number }) {
  return (
    <defs>
      <pattern
        id={id}
        width={size}
        height={size}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <rect width={1} height={size} fill="var(--border-2)" />
      </pattern>
    </defs>
  );
}
