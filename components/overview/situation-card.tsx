import { useQuery } from "@tanstack/react-query";
import { Check, CircleHelp, Eye, Gauge, Play, Power, Siren } from "lucide-react";
import { type FocusEvent, type ReactNode, useState } from "react";
import { ReadState, useStaleSince } from "@/components/console/read-state.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { useLive } from "@/components/console/use-live.tsx";
import { selectingLink } from "@/components/offenders/selecting-link.ts";
import { useAttackSwitch } from "@/components/shell/attack/attack-switch.tsx";
import { useModeSwitch } from "@/components/shell/mode/mode-switch.tsx";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { LinkButton } from "@/components/ui/link-button.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { clockText } from "@/components/ui/value-text.ts";
import type { Situation, SituationReply } from "@/lib/queries/situation.ts";
import { BlockNamed } from "./block-named.tsx";
import { ChangesStrip } from "./changes-strip.tsx";
import { situationQuery } from "./page-reads.ts";
import { blockable, type SituationWords, saySituation, sayTrouble } from "./situation-words.ts";

const everyMs = 2_000;

/**
 * The situation. It is polled also while other data is paused: its sentence must not be old.
 *
 * @param isPolled by one reader on the page
 */
export function useSituation(isPolled: boolean) {
  const { app } = useLive();
  return useQuery({
    ...situationQuery(app),
    refetchInterval: isPolled && everyMs,
    networkMode: "always",
    retry: false,
  });
}

/** One sentence that says whether all is well, what to do about it, and the latest changes. */
export function SituationCard({ mayChange }: { mayChange: boolean }) {
  const { trouble } = useStanding();
  const read = useSituation(true);
  const stale = useStaleSince(read);
  const { held, area } = useHeld(read.data);
  // A held sentence still offers its own clients. What is more urgent replaces it.
  const shown = held && read.data && offersBlock(read.data.situation) ? held : read.data;
  const known = trouble && trouble.kind !== "signed-out" ? sayTrouble(trouble, read.data) : undefined;
  return (
    <section
      aria-label="Situation"
      className="min-w-0 overflow-hidden rounded-card border border-border bg-surface"
    >
      {known ? (
        <Upper words={known} icon={<CircleHelp />} />
      ) : (
        <ReadState
          read={{ ...read, data: shown }}
          name="the situation"
          skeleton={<UpperSkeleton />}
          isInset
          isCompact
          hasOwnNote
        >
          {(data) =>
            stale === undefined ? (
              <Upper words={saySituation(data)} icon={iconOf(data.situation)}>
                <div className="flex flex-wrap items-center gap-2 max-sm:w-full" {...area}>
                  <Actions data={data} mayChange={mayChange} />
                </div>
              </Upper>
            ) : (
              <Upper words={sayStale(data, stale)} icon={<CircleHelp />} />
            )
          }
        </ReadState>
      )}
      <ChangesStrip />
    </section>
  );
}

function sayStale(data: SituationReply, since: number): SituationWords {
  return sayTrouble({ kind: "failed", message: `Stale: last updated ${clockText(since)}.`, since }, data);
}

const offersBlock = (situation: Situation): boolean => blockable(situation).length > 0;

/** While the pointer or the focus is on its buttons, the sentence and the clients that it names stay. */
function useHeld(data: SituationReply | undefined) {
  const [held, setHeld] = useState<SituationReply>();
  const hold = () => setHeld((before) => before ?? (data && offersBlock(data.situation) ? data : undefined));
  const release = () => setHeld(undefined);
  const area = {
    onPointerEnter: hold,
    onPointerLeave: release,
    onFocus: hold,
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) release();
    },
  };
  return { held, area };
}

const tiles: Readonly<Record<SituationWords["tone"], string>> = {
  blocked: "bg-blocked-graphic text-on-blocked",
  throttled: "bg-throttled-bg text-throttled border border-throttled-bd",
  pass: "bg-pass-bg text-pass border border-pass-bd",
  shadow: "bg-shadow-bg text-shadow border border-dashed border-shadow-bd",
  plain: "bg-raised text-text-2",
};

interface UpperProps {
  words: SituationWords;
  icon: ReactNode;
  children?: ReactNode;
}

function Upper({ words: { tone, title, detail }, icon, children }: UpperProps) {
  return (
    <div
      data-tone={tone}
      className={classes(
        "flex min-h-17 flex-wrap items-center gap-x-3 gap-y-2.5 px-3.5 py-3",
        tone === "blocked" && "bg-blocked-bg",
      )}
    >
      <span
        aria-hidden="true"
        className={classes(
          "grid size-9 shrink-0 place-items-center rounded-control [&_.lucide]:size-5",
          tiles[tone],
        )}
      >
        {icon}
      </span>
      <div className="min-w-0 flex-1 basis-60">
        <h2 className="text-[17px]/6 font-semibold tracking-[-0.01em]">
          <Untrusted text={title} max={240} />
        </h2>
        <p className="min-h-4.5 text-body text-text-2">
          <Untrusted text={detail} max={400} />
        </p>
      </div>
      {children}
    </div>
  );
}

function UpperSkeleton() {
  return (
    <div className="flex min-h-17 items-center gap-3 px-3.5 py-3">
      <Skeleton className="size-9" />
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-3 w-2/5" />
      </div>
    </div>
  );
}

function iconOf({ kind }: Situation): ReactNode {
  if (kind === "attack") return <Siren />;
  if (kind === "elevated") return <Gauge />;
  if (kind === "off") return <Power />;
  if (kind === "shadow") return <Eye />;
  return kind === "quiet" ? <Check /> : <CircleHelp />;
}

function Actions({ data, mayChange }: { data: SituationReply; mayChange: boolean }) {
  const { situation } = data;
  if (situation.kind === "off" || situation.kind === "shadow") return <Resume />;
  const clients = blockable(situation);
  return (
    <>
      {mayChange && clients.length > 0 && (
        <BlockNamed clients={clients} situation={saySituation(data).title} />
      )}
      {mayChange && situation.kind === "attack" && <AttackMode />}
      {(situation.kind === "attack" || situation.kind === "elevated") && (
        <LinkButton
          href={selectingLink(clients.map(({ client }) => client))}
          size="lg"
          className="max-sm:flex-1"
        >
          Review
        </LinkButton>
      )}
    </>
  );
}

/** Opens the dialog of attack mode, unless the banner above has a button for it. */
function AttackMode() {
  const { known } = useStanding();
  const open = useAttackSwitch();
  if (!known || known.attack) return null;
  return (
    <Button size="lg" icon={<Siren />} className="max-sm:flex-1" onClick={open}>
      Attack mode…
    </Button>
  );
}

/** Opens the dialog of the mode, which asks for a reason. */
function Resume() {
  const { known } = useStanding();
  const openSwitch = useModeSwitch();
  return (
    <Button
      variant="primary"
      size="lg"
      icon={<Play />}
      className="max-sm:flex-1"
      disabledReason={known && known.you.role !== "admin" ? "Only admins can resume" : undefined}
      onClick={openSwitch}
    >
      Resume…
    </Button>
  );
}
