interface ViewBox {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
}

export interface ChartTextProps {
  lines: readonly { readonly text: string; readonly isBold?: boolean }[];
  anchor?: "start" | "end";
  color?: string;
  dx?: number;
  dy?: number;
  /** Box of the labelled element, passed by Recharts. */
  viewBox?: ViewBox;
}

/** Text at a point of a chart. An outline in the colour of the card keeps it readable. */
export function ChartText(props: ChartTextProps) {
  const { lines, anchor = "start", color = "var(--text)", dx = 0, dy = 0, viewBox = {} } = props;
  const x = (viewBox.x ?? 0) + (viewBox.width ?? 0) / 2 + dx;
  const y = (viewBox.y ?? 0) + (viewBox.height ?? 0) / 2 + dy;
  return (
    <text
      x={x}
      y={y}
      textAnchor={anchor}
      fontSize={11}
      fill={color}
      stroke="var(--surface)"
      strokeWidth={3}
      strokeLinejoin="round"
      paintOrder="stroke"
    >
      {lines.map(({ text, isBold = false }, i) => (
        <tspan key={text} x={x} dy={i === 0 ? 0 : 13} fontWeight={isBold ? 600 : 400}>
          {text}
        </tspan>
      ))}
    </text>
  );
}
