import type { ReactNode } from "react";
import { Sparkline } from "@/components/charts/sparkline.tsx";
import { useStaleSince } from "@/components/console/read-state.tsx";
import { useLive } from "@/components/console/use-live.tsx";
import { LinkChip, NoteChip } from "@/components/ui/chip.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { rateText, secondsText, shareText, spanText } from "@/components/ui/value-text.ts";
import { VerdictIcon, type VerdictName, verdictWords } from "@/components/ui/verdicts.tsx";
import type { OverviewReply } from "@/lib/queries/overview.ts";
import type { SituationReply } from "@/lib/queries/situation.ts";
import { useSituation } from "./situation-card.tsx";
import { usualFactor } from "./situation-words.ts";

export interface VerdictsProps {
  data: OverviewReply;
  /** Newer data fails to load: the last numbers are shown with their time, and the time since then as unknown. */
  isStale: boolean;
}

const card = "min-w-0 overflow-hidden rounded-card border border-border bg-surface";
const part = "flex flex-col gap-1 border-border px-3.5 py-2.5 not-first:border-t";

/** Numbers of the last minute, or of a chosen time. What is denied weighs most. */
export function NumbersCard({ data, isStale }: VerdictsProps) {
  const { average, points, asOf } = data;
  const { zoom } = useLive();
  const read = useSituation(false);
  const situation = useStaleSince(read) === undefined && !isStale ? read.data : undefined;
  const { rates: minute, p99Ms } = average ?? { rates: data.minute, p99Ms: data.p99Ms };
  const denied = minute.throttled + minute.blocked;
  const requests = denied + minute.pass + minute.safelisted;
  const old = isStale ? "text-text-3" : undefined;
  const isUnknown = average ? average.known === 0 : isUnreported(situation);
  const say = (rate: number) => (isUnknown ? "–" : rateText(rate));
  return (
    <section aria-label={average ? "Requests in this period" : "Requests now"} className={card}>
      <div className={part}>
        <p className="flex flex-wrap items-baseline gap-x-1.5 text-cell">
          <span className="text-body font-semibold">Denied</span>
          <span className="text-text-3">
            {isStale ? `as of ${secondsText(asOf)}` : average && zoom ? spanText(zoom) : "last minute"}
          </span>
          {situation && !average && <Against situation={situation} />}
        </p>
        <p className="flex flex-wrap items-baseline justify-between gap-x-2">
          <span className={classes("text-[30px]/[34px] font-semibold tracking-[-0.02em]", old)}>
            {say(denied)}
            <span className="text-body font-normal tracking-normal text-text-3"> /s</span>
          </span>
          <span className="text-cell text-text-2">
            {average && average.known < 0.995
              ? `${shareText(1 - average.known)} of this time is unknown`
              : isUnknown
                ? "unknown"
                : requests === 0
                  ? "no requests"
                  : `${((100 * denied) / requests).toFixed(1)}% of requests`}
          </span>
        </p>
        <Sparkline
          className="h-8 w-full max-lg:hidden"
          values={points.map((point) => (point.isMissing ? undefined : point.throttled + point.blocked))}
          verdict={denied >= 1 && !isStale ? "blocked" : undefined}
        />
        <Line name={verdictWords.throttled} verdict="throttled" className={old}>
          {say(minute.throttled)}
        </Line>
        <Line name={verdictWords.blocked} verdict="blocked" className={old}>
          {say(minute.blocked)}
        </Line>
      </div>
      {!average && (
        <div className={classes(part, "max-sm:hidden")}>
          <CustomersDenied situation={situation} />
        </div>
      )}
      <div className={classes(part, "max-sm:hidden")}>
        <Line name="Requests" className={old}>
          {say(requests)}
        </Line>
        <Line name={verdictWords.pass} verdict="pass" className={old}>
          {say(minute.pass)}
        </Line>
        <Line name={verdictWords.safelisted} verdict="safelisted" className={old}>
          {say(minute.safelisted)}
        </Line>
        <Line name="Decision p99" unit={requests === 0 ? "" : "ms of 50 ms"} className={old}>
          {requests === 0 ? "–" : p99Ms === null ? "> 50" : `≤ ${p99Ms}`}
        </Line>
      </div>
    </section>
  );
}

/** Without a node of an app, a count of 0 says nothing. */
function isUnreported(reply: SituationReply | undefined): boolean {
  return reply?.situation.kind === "unknown" && reply.situation.cause === "nodes";
}

/** Denials compared with the usual ones, as far as these are known. */
function Against({ situation }: { situation: SituationReply }) {
  const { kind } = situation.situation;
  if (kind === "off") return <span className="ml-auto font-semibold text-blocked">not enforced</span>;
  const factor = usualFactor(situation);
  if (factor !== undefined)
    return <span className="ml-auto font-semibold text-blocked">{`${factor}× usual`}</span>;
  const isUsual = situation.situation.kind === "quiet" && situation.situation.against === "usual";
  return isUsual ? <span className="ml-auto text-text-2">as usual</span> : null;
}

const mostCustomers = 3;

/** Signed-in customers with denials. Unknown without the read. */
function CustomersDenied({ situation }: { situation: SituationReply | undefined }) {
  const { customers = [], isAllCustomers = false } = situation ?? {};
  const count = `${isAllCustomers ? "" : "at least "}${customers.length}`;
  const more = customers.length - mostCustomers;
  return (
    <>
      <p className="flex items-baseline justify-between gap-2">
        <span className="text-body font-semibold">Customers denied</span>
        <span className="text-body font-semibold">{situation ? count : "–"}</span>
      </p>
      <p className="flex min-h-5 flex-wrap items-center gap-1 text-meta text-text-3">
        {customers.slice(0, mostCustomers).map(({ customer }) => (
          <LinkChip
            key={customer}
            href={`/customers/${encodeURIComponent(customer)}`}
            label={`Customer ${customer}`}
          >
            {customer}
          </LinkChip>
        ))}
        {more > 0 && <NoteChip title={`${more} more customers`}>{`+${more}`}</NoteChip>}
        {situation ? customers.length === 0 && "signed in, in the last 2 min" : "unknown"}
      </p>
    </>
  );
}

interface LineProps {
  name: string;
  verdict?: VerdictName;
  unit?: string;
  className?: string | undefined;
  children: ReactNode;
}

function Line({ name, verdict, unit = "/s", className, children }: LineProps) {
  return (
    <p className="flex min-h-5 items-center gap-1.5 text-cell text-text-2">
      {verdict && <VerdictIcon verdict={verdict} />}
      {name}
      <span className={classes("ml-auto font-semibold text-text", className)}>
        {children} <span className="font-normal text-text-3">{unit}</span>
      </span>
    </p>
  );
}

/** Has the shape of the numbers. */
export function NumbersSkeleton() {
  return (
    <div className={classes(card, "flex flex-col gap-3 p-3.5")}>
      <Skeleton className="h-3.5 w-24" />
      <Skeleton className="h-8 w-28" />
      <Skeleton className="h-3.5 w-full" />
      <Skeleton className="h-3.5 w-full" />
    </div>
  );
}
