"use client";

import { Card } from "@/components/ui/card.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { countText, decimalText, durationText } from "@/components/ui/value-text.ts";
import { VerdictBadge } from "@/components/ui/verdicts.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { CustomerNow, LevelUsage } from "@/lib/queries/customer.ts";
import type { CustomerAddress } from "@/lib/queries/owners.ts";
import { isDenied, isPartlyBlocked } from "../addresses/address-words.ts";
import type { AddressesRead } from "../addresses/denied-banner.tsx";
import { sayUsed } from "../customer-words.ts";
import type { Editor } from "../draft/use-editor.ts";
import { BeforeAfter, type BoxContent } from "./before-after.tsx";
import type { usePreview } from "./use-outlook.ts";
import { sayVerdict, type Verdict, verdictOf } from "./verdict.ts";
import { WindowsTable } from "./windows-table.tsx";

interface VerdictCardProps {
  editor: Editor;
  preview: ReturnType<typeof usePreview>;
  addresses: AddressesRead;
}

/** Verdict of the next request now, and after a save of the draft. */
export function VerdictCard({ editor, preview, addresses }: VerdictCardProps) {
  const { now, staleSince } = editor;
  const after = preview.preview?.after;
  const before = preview.preview?.before ?? now.usage;
  const isKnown = staleSince === undefined && before !== null && after !== null;
  const { isWanted, isBehind } = preview;
  // The next request most likely comes from the address of the last one.
  const latest = addresses.data?.addresses[0];
  const denied = latest && isDenied(latest) ? latest : undefined;
  const isSuspended = now.suspension !== null && now.mode === "enforce" && latest?.outcome !== "safelisted";
  const boxFor = (usage: readonly LevelUsage[]) => {
    if (denied?.entry) return boxOfAddress(denied);
    if (isSuspended) return suspendedBox;
    return denied ? boxOfAddress(denied) : boxOf(verdictOf(usage, now.mode));
  };
  return (
    <Card title={isWanted ? "Before → after" : "Next request"} hint="from current counters" isFlush>
      {isKnown ? (
        <>
          <BeforeAfter
            {...{ editor, isWanted }}
            before={boxFor(before)}
            after={after && boxFor(after)}
            className={isBehind ? "grayscale" : undefined}
          />
          <WindowsTable
            label="Levels, before and after"
            nowTitle="Used"
            before={before}
            after={isWanted ? after : undefined}
            cell={(usage) => <Used usage={usage} mode={now.mode} />}
          />
          <Notes
            {...{ now, denied, isSuspended }}
            others={addresses.data?.addresses.slice(1) ?? []}
            partly={latest && isPartlyBlocked(latest) ? latest : undefined}
            verdict={verdictOf((isWanted ? after : undefined) ?? before, now.mode)}
          />
        </>
      ) : (
        <p className="px-3.5 pb-3.5 text-cell text-text-2">
          {staleSince === undefined
            ? "Counters unavailable. Usage and the next verdict are unknown. Changes can still be saved."
            : "Usage failed to load. The next verdict is unknown."}
        </p>
      )}
    </Card>
  );
}

function boxOf(verdict: Verdict): BoxContent {
  const tone = verdict.name === "none" ? "plain" : verdict.name;
  const text = verdict.by ? sayUsed(verdict.by) : "no level counts it";
  return { tone, icon: toneIcon(tone), value: sayVerdict(verdict), text };
}

const suspendedBox: BoxContent = {
  ...{ tone: "blocked", icon: toneIcon("blocked"), value: "Blocked, sends 403" },
  text: "by its suspension",
};

/** The next request from an address that an entry or a rule of addresses denies. Limits of the customer change nothing there. */
function boxOfAddress({ address, entry, rule }: CustomerAddress): BoxContent {
  const tone = entry ? "blocked" : "throttled";
  return {
    ...{ tone, icon: toneIcon(tone), value: entry ? "Blocked, sends 403" : "Throttled" },
    text: entry ? `by blocklist entry ${entry.address}` : `from ${address} by rule ${rule?.name ?? ""}`,
  };
}

function Used({ usage, mode }: { usage: LevelUsage; mode: CustomerNow["mode"] }) {
  const { name } = verdictOf([usage], mode);
  const isEstimate = isRate(usage.algorithm);
  const used = isEstimate ? decimalText(usage.used) : countText(Math.round(usage.used));
  return (
    <VerdictBadge verdict={name === "none" ? "pass" : name}>
      {`${used} / ${countText(usage.limit)}${isEstimate ? "/s" : ""}`}
    </VerdictBadge>
  );
}

interface NotesProps {
  now: CustomerNow;
  verdict: Verdict;
  /** The latest address, where it is denied. */
  denied: CustomerAddress | undefined;
  /** Its suspension denies the next request, if no entry does. */
  isSuspended: boolean;
  /** The latest address, where it is a network of which a part is blocked. */
  partly: CustomerAddress | undefined;
  others: readonly CustomerAddress[];
}

function Notes({ now, verdict, denied, isSuspended, partly, others }: NotesProps) {
  const { name, by } = verdict;
  const deniedToo = others.filter(isDenied);
  const notes = [
    partly && `Requests from a part of ${partly.address} get 403.`,
    deniedToo.length > 0 &&
      `${denied ? "Also denied" : "Denied"} by address: ${deniedToo.map(({ address }) => address).join(", ")}.`,
    isSuspended && "The suspension denies its requests, whatever is left of its limits.",
    denied &&
      !isSuspended &&
      `Without ${denied.entry ? "the entry" : "this rule"}: ${sayVerdict(verdict).toLowerCase()}.`,
    name === "throttled" && !isSuspended && by && `${sayAgain(by)}.`,
    name === "none" && "Rules that count by address still apply.",
    now.mode === "shadow" && "The mode is shadow: no request is denied.",
    now.mode === "off" && "The mode is off: no request is counted or denied.",
  ].filter((note) => typeof note === "string");
  if (notes.length === 0) return null;
  return <p className="border-t border-border px-3.5 py-2.5 text-cell text-text-2">{notes.join(" ")}</p>;
}

/** Of the ways of counting, EARRRL alone charges requests that are denied. */
function sayAgain({ resetMs, algorithm }: LevelUsage): string {
  const again = `Passes again in ${durationText(resetMs)}`;
  return isRate(algorithm) ? `${again} without further requests` : again;
}
