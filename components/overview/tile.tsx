import type { ReactNode } from "react";
import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";

export interface TileProps {
  name: string;
  icon?: ReactNode;
  /** Page with more about it. */
  href?: string;
  /** Undefined while unknown. */
  children: ReactNode;
  /** The value is stale. */
  isOld: boolean;
  below?: ReactNode;
  className?: string;
}

/** One figure of a row of tiles. */
export function Tile({ name, icon, href, children, isOld, below, className }: TileProps) {
  return (
    <div className={classes("flex min-w-0 flex-col gap-0.5 bg-surface px-3.5 py-3", className)}>
      <p className="flex items-center gap-1.5 text-cell text-text-2">
        {icon}
        {href ? (
          <Link href={href} className="rounded-sm hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
      <p className={classes("truncate text-kpi", isOld && "text-text-3")}>{children ?? "–"}</p>
      <p className="min-h-3.5 truncate text-meta text-text-3">{below}</p>
    </div>
  );
}
