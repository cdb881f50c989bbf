interface HatchProps {
  id: string;
  color: string;
  /** Width of a stripe, and distance between two, in px. */
  stripe?: number;
  size?: number;
  degrees?: number;
  opacity?: number;
  /** Opacity of the colour below the stripes. Undefined for none. */
  ground?: number | undefined;
  isCrossed?: boolean;
}

/** A fill of stripes, so that areas differ not only by colour. */
export function Hatch(props: HatchProps) {
  const { id, color, stripe = 2, size = 6, degrees = 45, opacity = 1, ground, isCrossed = false } = props;
  return (
    <pattern
      id={id}
      width={size}
      height={size}
      patternUnits="userSpaceOnUse"
      patternTransform={`rotate(${degrees})`}
    >
      {ground !== undefined && <rect width={size} height={size} fill={color} fillOpacity={ground} />}
      <rect width={stripe} height={size} fill={color} fillOpacity={opacity} />
      {isCrossed && <rect width={size} height={stripe} fill={color} fillOpacity={opacity} />}
    </pattern>
  );
}

/** Thin grey hatching of times without data. Blocked requests have thick red hatching in the other direction. */
export function MissingHatch({ id, size = 7 }: { id: string; size?: number }) {
  return (
    <defs>
      <Hatch id={id} color="var(--border-2)" stripe={1} size={size} degrees={-45} />
    </defs>
  );
}
