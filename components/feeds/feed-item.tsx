"use client";

import {
  Ban,
  Check,
  Eye,
  Hand,
  OctagonX,
  Pause,
  Pencil,
  Play,
  RefreshCw,
  ShieldCheck,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { Sparkline } from "@/components/charts/sparkline.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { Menu, type MenuItem } from "@/components/ui/menu.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { changeFeed, refreshFeed, removeFeed } from "@/lib/console/actions/feeds.ts";
import type { FeedRow } from "@/lib/queries/feeds.ts";
import { sayChange, sayFailing, sayHeld, sayKeys, sayNext } from "./feed-words.ts";
import { useFeedChange } from "./use-feed-change.ts";

const EditFeedDialog = lazyDialog(() =>
  import("./edit-feed-dialog.tsx").then((found) => found.EditFeedDialog),
);
const HeldDialog = lazyDialog(() => import("./held-dialog.tsx").then((found) => found.HeldDialog));

interface FeedItemProps {
  readonly feed: FeedRow;
  readonly asOf: number;
  readonly mayChange: boolean;
}

/** One line with heads above it where the list is wide; below that, facts with their names. */
const columns =
  "grid grid-cols-2 items-center gap-x-4 gap-y-1 text-cell @min-[40rem]/rows:grid-cols-5 @min-[66rem]/rows:grid-cols-[minmax(0,1fr)_8.5rem_9rem_4.5rem_6rem_7rem_8rem_5rem_2rem]";

/** Heads of the columns. Screen readers find each name in its cell. */
export function FeedHeads() {
  const head = (name: string, isNumber = false) => (
    <span className={isNumber ? "text-right" : undefined}>{name}</span>
  );
  return (
    <div
      aria-hidden="true"
      className={classes(
        columns,
        "h-8 border-b border-border px-3.5 text-meta font-medium text-text-2 @max-[66rem]/rows:hidden",
      )}
    >
      {head("Feed")}
      {head("Kind")}
      {head("State")}
      {head("Ranges", true)}
      {head("Last refresh")}
      {head("Added / removed", true)}
      {head("Hits, 24 h", true)}
      {head("Next", true)}
    </div>
  );
}

/** One feed. What needs a person is below it. */
export function FeedItem({ feed, asOf, mayChange }: FeedItemProps) {
  const { name, source, contents, hits, list, mode } = feed;
  const tone = mode === "shadow" || list === "safelist" ? undefined : ("blocked" as const);
  return (
    <li className="relative flex flex-col gap-2 px-3.5 py-2">
      <div className={classes(columns, mayChange && "@max-[66rem]/rows:pr-9")}>
        <div className="col-span-2 min-w-0 @min-[40rem]/rows:col-span-3 @min-[66rem]/rows:col-span-1">
          <h2 className="truncate text-body font-medium">
            <Untrusted text={name} max={60} />
          </h2>
          <p className="truncate font-mono text-meta text-text-3">
            <Untrusted text={source} max={200} />
          </p>
        </div>
        <Kind feed={feed} />
        <State feed={feed} />
        <Cell name="Ranges" isNumber>
          <span className="font-medium">{contents ? countText(contents.ranges) : "–"}</span>
        </Cell>
        <Cell name="Last refresh">{contents ? <Timestamp at={contents.at} /> : "never"}</Cell>
        <Cell name="Added / removed" isNumber>
          {sayChange(feed)}
        </Cell>
        <Cell name="Hits, 24 h" isNumber>
          {hits ? (
            <span className="inline-flex items-center gap-2 align-middle">
              <Sparkline values={hits.hours} verdict={tone} />
              <span className="font-medium">{countText(hits.count)}</span>
            </span>
          ) : (
            "unknown"
          )}
        </Cell>
        <Cell name="Next refresh" isNumber>
          {sayNext(feed, asOf)}
        </Cell>
        {mayChange && <FeedMenu feed={feed} />}
      </div>
      <Notices feed={feed} asOf={asOf} mayChange={mayChange} />
    </li>
  );
}

function Cell({
  name,
  isNumber = false,
  children,
}: {
  name: string;
  isNumber?: boolean;
  children: React.ReactNode;
}) {
  return (
    <div className={classes("min-w-0 text-text-2", isNumber && "@min-[66rem]/rows:text-right")}>
      <span className="mr-1.5 text-meta text-text-3 @min-[40rem]/rows:@max-[66rem]/rows:block @min-[66rem]/rows:sr-only">
        {name}
      </span>
      {children}
    </div>
  );
}

function Kind({ feed: { list, mode } }: { feed: FeedRow }) {
  const Icon = mode === "shadow" ? Eye : list === "safelist" ? ShieldCheck : Ban;
  const color = mode === "shadow" ? "text-shadow" : list === "safelist" ? "text-safelisted" : "text-blocked";
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 [&_.lucide]:size-3.5">
      <Icon className={color} />
      {list === "safelist" ? "Safelist" : "Blocklist"}
      {mode === "shadow" && ", shadow"}
    </span>
  );
}

function State({ feed: { isPaused, held, failing, contents } }: { feed: FeedRow }) {
  const look = isPaused
    ? ({ tone: "plain", icon: <Pause />, word: "Paused" } as const)
    : held
      ? ({ tone: "throttled", icon: <Hand />, word: "Waiting for review" } as const)
      : failing
        ? ({ tone: "blocked", icon: <OctagonX />, word: "Failing" } as const)
        : contents
          ? ({ tone: "plain", icon: <Check />, word: "In sync" } as const)
          : ({ tone: "plain", icon: <RefreshCw />, word: "Not read yet" } as const);
  return (
    <span>
      <Badge tone={look.tone} icon={look.icon}>
        {look.word}
      </Badge>
    </span>
  );
}

function FeedMenu({ feed }: { feed: FeedRow }) {
  const { id, name, mode, isPaused, isWideConfirmed, left } = feed;
  const [isEditing, setIsEditing] = useState(false);
  const [isRemoving, setIsRemoving] = useState(false);
  const { change, isBusy, failure } = useFeedChange(() => setIsRemoving(false));
  const set = (title: string, given: Omit<Parameters<typeof changeFeed>[0], "id">) => () =>
    void change(title, () => changeFeed({ id, ...given }));
  const items: MenuItem[] = [
    {
      label: "Refresh now",
      icon: <RefreshCw />,
      onSelect: () => void change(`Read ${name}`, () => refreshFeed({ id })),
      isDisabled: isPaused,
    },
    mode === "shadow"
      ? { label: "Enforce", icon: <Play />, onSelect: set(`${name} is enforced`, { mode: "enforce" }) }
      : {
          label: "Put into shadow",
          icon: <Eye />,
          onSelect: set(`${name} is in shadow`, { mode: "shadow" }),
        },
    ...(!isWideConfirmed && left.wide > 0
      ? [
          {
            label: `Confirm ${counted(left.wide, "wide range")}`,
            onSelect: set(`Wide ranges of ${name} are confirmed`, { isWideConfirmed: true }),
          },
        ]
      : []),
    isPaused
      ? { label: "Resume", icon: <Play />, onSelect: set(`${name} is resumed`, { isPaused: false }) }
      : { label: "Pause", icon: <Pause />, onSelect: set(`${name} is paused`, { isPaused: true }) },
    { label: "Edit…", icon: <Pencil />, onSelect: () => setIsEditing(true) },
    { label: "Remove…", icon: <Trash2 />, isDanger: true, onSelect: () => setIsRemoving(true) },
  ];
  return (
    <span className="justify-self-end @max-[66rem]/rows:absolute @max-[66rem]/rows:top-1.5 @max-[66rem]/rows:right-1.5">
      <Menu label={`More for ${name}`} items={items} />
      {isEditing && <EditFeedDialog feed={feed} onClose={() => setIsEditing(false)} />}
      {isRemoving && (
        <ConfirmDialog
          isOpen
          onClose={() => setIsRemoving(false)}
          title={`Remove the feed ${name}?`}
          description="Nodes no longer enforce it. For 8 days this can be undone from the audit log."
          confirmLabel={`Remove ${name}`}
          onConfirm={() => void change(`${name} removed`, () => removeFeed({ id }))}
          isDanger
          isBusy={isBusy}
          error={failure?.message}
        />
      )}
    </span>
  );
}

/** Why the feed needs a person, and what to do. */
function Notices({ feed, asOf, mayChange }: FeedItemProps) {
  const { change, isBusy } = useFeedChange();
  const [isReviewing, setIsReviewing] = useState(false);
  const { id, name, held, failing, isPaused, left, isWideConfirmed, keys } = feed;
  if (isPaused) return null;
  if (held) {
    return (
      <Banner
        tone="throttled"
        icon={<Hand />}
        title={sayHeld(feed)}
        actions={<Button onClick={() => setIsReviewing(true)}>Review</Button>}
      >
        +{countText(held.contents.added)} added, −{countText(held.contents.removed)} removed
        {held.widest && (
          <>
            , widest new range <span className="font-mono">{held.widest}</span>
          </>
        )}
        . The current ranges stay in force until an admin decides.
        {isReviewing && (
          <HeldDialog feed={feed} held={held} mayChange={mayChange} onClose={() => setIsReviewing(false)} />
        )}
      </Banner>
    );
  }
  if (failing)
    return (
      <Banner
        tone="blocked"
        icon={<OctagonX />}
        title={<Untrusted text={failing.cause} max={300} />}
        actions={
          mayChange && (
            <Button
              icon={<RefreshCw />}
              isBusy={isBusy}
              onClick={() => void change(`Read ${name}`, () => refreshFeed({ id }))}
            >
              Retry
            </Button>
          )
        }
      >
        {sayFailing(feed, asOf)}
      </Banner>
    );
  const leftOut = [
    ...(!isWideConfirmed && left.wide > 0
      ? [`${counted(left.wide, "range")} wider than /24 (IPv6 /48) until confirmed`]
      : []),
    ...(left.tooWide > 0 ? [`${counted(left.tooWide, "range")} wider than /8 (IPv6 /16)`] : []),
    ...(left.unread > 0 ? [`${counted(left.unread, "line")} without an address`] : []),
  ];
  const keysText = keys ? sayKeys(keys) : "";
  return leftOut.length === 0 && keysText === "" ? null : (
    <p className="text-meta text-text-3">
      {leftOut.length > 0 && `Left out: ${leftOut.join(", ")}. `}
      {keysText}
    </p>
  );
}
