import { CircleCheck, Eye, Gauge, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import { type Tone, tints } from "./tone.ts";

type BannerTone = Exclude<Tone, "safelisted">;

interface BannerProps {
  tone: BannerTone;
  /** State, and what is still in force. */
  title: ReactNode;
  /** Cause, and what to do. */
  children?: ReactNode;
  actions?: ReactNode;
  icon?: ReactNode;
}

const icons: Readonly<Record<BannerTone, ReactNode>> = {
  blocked: <TriangleAlert />,
  throttled: <Gauge />,
  pass: <CircleCheck />,
  shadow: <Eye />,
  plain: <Info />,
};

/** Screen readers announce a problem immediately, other banners after a pause. */
export function Banner({ tone, title, children, actions, icon }: BannerProps) {
  return (
    <div
      role={tone === "blocked" ? "alert" : "status"}
      className={classes(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border px-3.5 py-2.5",
        tints[tone],
        tone === "plain" && "bg-surface",
      )}
    >
      <span
        className={
          tone === "blocked"
            ? "grid size-8 place-items-center rounded-control bg-blocked-graphic text-on-blocked"
            : undefined
        }
      >
        {icon ?? icons[tone]}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <p className="text-body font-semibold text-text">{title}</p>
        {children && <div className="text-cell text-text-2">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2 text-text">{actions}</div>}
    </div>
  );
}
