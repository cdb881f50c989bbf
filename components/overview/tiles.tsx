import { Ban, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import type { Standing } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { isDegraded, modeLook } from "@/components/shell/mode/mode-look.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { toneText } from "@/components/ui/tone.ts";
import { clockText, counted, countText } from "@/components/ui/value-text.ts";
import type { Status } from "@/lib/queries/status.ts";

/** Status in one card, split by hairlines. */
export function Tiles() {
  const standing = useStanding();
  const { known, trouble } = standing;
  const asOf = trouble && known && `as of ${clockText(known.at)}`;
  const isOld = trouble !== undefined;
  const { blocklist, safelist } = known?.counts ?? {};
  return (
    <section
      aria-label="Status"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-card border border-border bg-border lg:grid-cols-5"
    >
      <Tile name="Mode" isOld={false} below={known && sayMode(known, isDegraded(standing))}>
        <Mode standing={standing} />
      </Tile>
      <Tile
        name="Blocklist"
        icon={<Ban className="text-blocked-graphic" />}
        href="/blocklist"
        isOld={isOld}
        below={asOf ?? "answered with 403"}
      >
        {blocklist === undefined ? undefined : countText(blocklist)}
      </Tile>
      <Tile
        name="Safelist"
        icon={<ShieldCheck className="text-safelisted-graphic" />}
        href="/safelist"
        isOld={isOld}
        below={asOf ?? "wins over every rule"}
      >
        {safelist === undefined ? undefined : countText(safelist)}
      </Tile>
      <Tile name="Nodes in sync" isOld={isOld} below={asOf ?? (known && sayBehind(known))}>
        {known && `${known.nodes.filter(({ isInSync }) => isInSync).length} of ${known.nodes.length}`}
      </Tile>
      <Tile
        name="Last change"
        className="max-lg:col-span-2"
        isOld={isOld}
        below={asOf ?? (known && sayNewest(known))}
      >
        {known && <Newest known={known} />}
      </Tile>
    </section>
  );
}

function Mode({ standing }: { standing: Standing }) {
  const { tone, icon, short } = modeLook(standing);
  return (
    <span className={classes("flex items-center gap-2 [&_.lucide]:size-5", toneText[tone])}>
      {icon}
      {short}
    </span>
  );
}

function sayMode({ mode, rules }: Status, isWithoutCounters: boolean): string {
  if (mode === "off") return "nothing is enforced";
  if (mode === "enforce" && isWithoutCounters) return "both lists, rules without counters";
  const inForce = rules.filter((rule) => rule.mode === "enforce").length;
  return mode === "shadow" ? "only lists are enforced" : `both lists, ${counted(inForce, "rule")} in force`;
}

function sayBehind({ nodes }: Status): string {
  if (nodes.length === 0) return "nothing is enforced";
  const behind = nodes.filter(({ isInSync }) => !isInSync).length;
  return behind === 0 ? "all have the last change" : `${counted(behind, "node")} behind`;
}

function Newest({ known: { newestChange } }: { known: Status }) {
  if (newestChange.number === 0) return "none";
  return newestChange.at === null ? countText(newestChange.number) : <Timestamp at={newestChange.at} />;
}

function sayNewest({ newestChange: { number, at } }: Status): string {
  if (number === 0) return "no changes yet";
  return at === null ? "over an hour ago" : `number ${countText(number)}`;
}

interface TileProps {
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
function Tile({ name, icon, href, children, isOld, below, className }: TileProps) {
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
