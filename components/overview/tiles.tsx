"use client";

import { Ban, ShieldCheck } from "lucide-react";
import type { Standing } from "@/components/console/standing.ts";
import { useStanding } from "@/components/console/status.tsx";
import { isDegraded, modeLook } from "@/components/shell/mode/mode-look.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { toneText } from "@/components/ui/tone.ts";
import { clockText, counted, countText } from "@/components/ui/value-text.ts";
import type { Status } from "@/lib/queries/status.ts";
import { Tile } from "./tile.tsx";

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
        {known && sayNodes(known)}
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

function sayNodes({ nodes }: Status): string {
  return `${nodes.filter(({ isInSync }) => isInSync).length} of ${nodes.length}`;
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
