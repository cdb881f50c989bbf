import { Activity, Ban, Filter, Gauge, MapPin, Rss, ShieldCheck, UserX } from "lucide-react";
import type { ReactNode } from "react";
import { EntryTags } from "@/components/lists/tags/entry-tags.tsx";
import { periodText } from "@/components/offenders/period-text.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Meter } from "@/components/ui/meter.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, durationText, rateText } from "@/components/ui/value-text.ts";
import { VerdictIcon, verdictWords } from "@/components/ui/verdicts.tsx";
import { isRate } from "@/lib/enforce/algorithms/algorithms.ts";
import type { ClientLevel, ClientReply, ClientStep } from "@/lib/queries/client.ts";
import { sayRoom } from "./client-words.ts";

const looks: Record<ClientStep["step"], { icon: ReactNode; name: string }> = {
  client: { icon: <MapPin />, name: "Client" },
  safelist: { icon: <ShieldCheck />, name: "Safelist" },
  blocklist: { icon: <Ban />, name: "Blocklist" },
  feeds: { icon: <Rss />, name: "Feeds" },
  customer: { icon: <UserX />, name: "Customer" },
  requests: { icon: <Filter />, name: "Deny and exempt rules" },
  rules: { icon: <Gauge />, name: "Limits" },
};

/** All steps in their order, with live numbers. One of them decides. */
export function WhyCard({ told }: { told: ClientReply }) {
  const { steps, asked, outcome, says } = told;
  const isDecided = (i: number) => steps.slice(0, i).some(({ decides }) => decides);
  return (
    <Card title="Why?" hint={<Asked asked={asked} />}>
      <ol className="flex flex-col gap-3">
        {steps.map((step, i) => (
          <Step
            key={step.step}
            step={step}
            isLater={isDecided(i)}
            isSafe={outcome === "safelisted" || outcome === "pass"}
          />
        ))}
        <li className="flex items-center gap-2 rounded-control border border-border-2 bg-raised px-3 py-2">
          <VerdictIcon verdict={outcome} />
          <span className="font-semibold">{verdictWords[outcome]}</span>
          <span className="text-text-3">
            <Untrusted text={says} max={200} />
          </span>
        </li>
      </ol>
    </Card>
  );
}

function Asked({ asked: { app, method, path } }: Pick<ClientReply, "asked">) {
  return (
    <span className="font-mono">
      {method} <Untrusted text={path} max={40} />
      {app && (
        <>
          {" at "}
          <Untrusted text={app} max={24} />
        </>
      )}
    </span>
  );
}

function Step({ step, isLater, isSafe }: { step: ClientStep; isLater: boolean; isSafe: boolean }) {
  const { icon, name } = looks[step.step];
  const isDenying = step.decides && !isSafe && step.step !== "client";
  const deciding = step.rules.findIndex(({ isDeciding }) => isDeciding);
  return (
    <li className="flex gap-3">
      <span
        className={classes(
          "mt-0.5 flex size-6.5 shrink-0 items-center justify-center rounded-full border [&_.lucide]:size-3.5",
          isDenying ? "border-blocked-bd bg-blocked-graphic text-on-blocked" : "border-border-2 text-text-3",
          isLater && "border-dashed",
        )}
      >
        {icon}
      </span>
      <div
        className={classes(
          "flex min-w-0 flex-1 flex-col gap-2 rounded-control border px-3 py-2",
          isDenying ? "border-blocked-bd bg-blocked-bg" : "border-border bg-sunken",
          isLater && "border-dashed",
        )}
      >
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{name}</span>
          {step.decides && <Badge tone={isDenying ? "blocked" : "safelisted"}>this decides</Badge>}
        </div>
        <p className="text-cell wrap-anywhere text-text-2">
          <Untrusted text={step.says} max={400} />
        </p>
        <EntryTags tags={[...new Set(step.entries.flatMap(({ tags = [] }) => tags))]} />
        {step.rules.map((rule, i) => (
          <LevelCard
            key={rule.name}
            level={rule}
            isLater={isLater || (deciding >= 0 && i > deciding)}
            isOvertaken={isLater || (deciding >= 0 && i !== deciding)}
          />
        ))}
        {step.slack.map(({ rule, says }) => (
          <p key={rule} className="text-meta wrap-anywhere text-text-3">
            <Untrusted text={says} max={400} />
          </p>
        ))}
      </div>
    </li>
  );
}

interface LevelCardProps {
  level: ClientLevel;
  /** An earlier step or rule decides. */
  isLater: boolean;
  /** Another step or rule decides. The card says "also over" when this level is over its limit. */
  isOvertaken: boolean;
}

/** One level of a rule and its count. Dashed when an earlier step decides. */
function LevelCard({ level, isLater, isOvertaken }: LevelCardProps) {
  const { name, algorithm, used, limit, isOver, isShadowed, isDeciding } = level;
  const isEstimate = isRate(algorithm);
  const Icon = isEstimate ? Activity : Gauge;
  return (
    <div
      className={classes(
        "flex flex-col gap-1 rounded-control border px-2.5 py-2",
        isDeciding ? "border-blocked-bd" : "border-border",
        isLater && "border-dashed border-border-2",
        isShadowed && "border-dashed border-shadow-bd",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-cell">
        <Icon className="size-3.5 text-text-3" />
        <span className="font-mono font-medium">
          <Untrusted text={name} max={60} />
        </span>
        {isShadowed && <Badge tone="shadow">shadow</Badge>}
        <span className={classes("ml-auto", isOver ? "font-semibold text-blocked" : "text-text-2")}>
          {isOver && isOvertaken ? "also over" : sayStanding(level)}
        </span>
      </div>
      <div className="flex items-center gap-2">
        <Meter label={name} value={used} limit={limit} className="flex-1" />
        <span className="text-cell text-text-3">
          <span className={isOver ? "font-semibold text-blocked" : "text-text"}>
            {isEstimate ? rateText(used) : countText(Math.floor(used))}
          </span>
          {isEstimate ? ` / ${rateText(limit)} per s` : ` / ${countText(limit)}`}
        </span>
      </div>
      <span className="text-meta text-text-3">{sayWhen(level, isLater)}</span>
    </div>
  );
}

function sayStanding({ algorithm, used, limit, isOver }: ClientLevel): string {
  if (!isRate(algorithm)) return sayRoom(used, limit);
  return isOver ? "over" : "under";
}

function sayWhen(
  { algorithm, periodSeconds, calendar, resetSeconds, isDeciding }: ClientLevel,
  isLater: boolean,
): string {
  const isEstimate = isRate(algorithm);
  const period = calendar ?? periodText(periodSeconds);
  const parts = [isEstimate ? `half-life ${period}` : `per ${period}`];
  if (resetSeconds > 0)
    parts.push(`${isEstimate ? "clears" : "resets"} in ${durationText(resetSeconds * 1_000)}`);
  if (isDeciding) parts.push("this rule decides");
  if (isLater) parts.push("did not decide");
  return parts.join(" · ");
}
