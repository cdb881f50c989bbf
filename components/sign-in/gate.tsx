import type { ReactNode } from "react";
import { Mark } from "@/components/shell/wordmark.tsx";
import { classes } from "@/components/ui/classes.ts";

interface GateProps {
  title: ReactNode;
  hint: ReactNode;
  /** Host name of the console, so that users see where they type a password. */
  host: string | undefined;
  children: ReactNode;
  footer?: ReactNode;
}

/** The one card in front of the console. */
export function Gate({ title, hint, host, children, footer }: GateProps) {
  return (
    <main className="isolate grid min-h-dvh place-items-center overflow-hidden p-4">
      <div className="relative flex w-full max-w-[372px] flex-col gap-5 rounded-[14px] border border-border-2 bg-surface p-7 shadow-e1 max-sm:p-5">
        <Streams />
        <header className="flex items-center gap-2.5">
          <Mark className="size-6" />
          <span className="text-[15px] font-semibold">Sluice</span>
          {host && (
            <span className="ml-auto min-w-0 truncate rounded-badge border border-border-2 px-2 py-0.5 text-meta text-text-2">
              {host}
            </span>
          )}
        </header>
        <div className="flex flex-col gap-1">
          <h1 className="text-[20px] leading-7 font-semibold">{title}</h1>
          <p className="text-body text-text-2">{hint}</p>
        </div>
        {children}
        {footer && <footer className="border-t border-border pt-4 text-cell text-text-3">{footer}</footer>}
      </div>
    </main>
  );
}

/** Streams come in from wide above and below the card, whose height is a hundred, and leave as wide. */
const wide = { from: -35, to: 135 };
const [comingIn, goingOut] = [33, 9];

/** What each stream is, from above: of most there is nothing to say. */
const kinds: Readonly<Record<string, readonly number[]>> = {
  "stroke-pass-graphic": [1, 5, 9, 13, 17, 21, 24, 29, 32],
  "stroke-throttled-graphic": [3, 10, 26],
  "stroke-blocked-graphic": [14, 23, 30],
};

/**
 * Streams narrow to the gate that the card is, and what may pass goes on behind it. Decoration: it does not move, has no text, and is attached to the card, so that it meets it on every screen.
 */
function Streams() {
  return (
    <>
      <Side name="in" className="right-full">
        {shares(comingIn).map((share, i) => (
          <path key={share} d={bend(spread(share), 15 + 70 * share)} className={kindOf(i)} />
        ))}
      </Side>
      <Side name="out" className="left-full">
        {shares(goingOut).map((share) => (
          <path key={share} d={bend(8 + 84 * share, spread(share))} className="stroke-pass-graphic" />
        ))}
      </Side>
    </>
  );
}

/** From the card to the edge of the screen, fading towards it. */
function Side({ name, className, children }: { name: "in" | "out"; className: string; children: ReactNode }) {
  const [atLeft, atRight] = name === "in" ? [0.2, 0.8] : [0.5, 0];
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      fill="none"
      className={classes(
        "pointer-events-none absolute inset-y-0 -z-10 h-full w-[calc(50vw-50%)] overflow-visible max-sm:hidden",
        className,
      )}
    >
      <linearGradient id={`streams-${name}`}>
        <stop offset="0" stopColor="white" stopOpacity={atLeft} />
        <stop offset="1" stopColor="white" stopOpacity={atRight} />
      </linearGradient>
      <mask id={`mask-${name}`} maskUnits="userSpaceOnUse" x="0" y="-100" width="100" height="300">
        <rect y="-100" width="100" height="300" fill={`url(#streams-${name})`} />
      </mask>
      <g mask={`url(#mask-${name})`} className="[&>path]:[vector-effect:non-scaling-stroke]">
        {children}
      </g>
    </svg>
  );
}

const shares = (count: number): number[] => Array.from({ length: count }, (_, i) => i / (count - 1));

const spread = (share: number): number => wide.from + (wide.to - wide.from) * share;

/** Level where it begins and where it ends. */
const bend = (from: number, to: number): string => `M0 ${from}C50 ${from} 50 ${to} 100 ${to}`;

function kindOf(stream: number): string {
  return Object.keys(kinds).find((kind) => kinds[kind]?.includes(stream)) ?? "stroke-control opacity-50";
}
