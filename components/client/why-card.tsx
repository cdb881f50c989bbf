"use client";

import { Ban, Gauge, type LucideIcon, MapPin, ShieldCheck } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Card } from "@/components/ui/card.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { VerdictIcon, verdictWords } from "@/components/ui/verdicts.tsx";
import type { ClientReply, ClientStep } from "@/lib/queries/client.ts";
import { LevelCard } from "./level-card.tsx";

const icons: Record<ClientStep["step"], LucideIcon> = {
  client: MapPin,
  safelist: ShieldCheck,
  blocklist: Ban,
  rules: Gauge,
};
const names: Record<ClientStep["step"], string> = {
  client: "Client",
  safelist: "Safelist",
  blocklist: "Blocklist",
  rules: "Rules",
};

/** All steps in their order, with live numbers. One of them decides. */
export function WhyCard({ told }: { told: ClientReply }) {
  const { steps, asked, outcome, says } = told;
  const isDecided = (i: number) => steps.slice(0, i).some(({ decides }) => decides);
  return (
    <Card title="Why?" hint={<Asked asked={asked} />}>
      <ol className="flex flex-col gap-3">
        {steps.map((step, i) => (
          <Step key={step.step} step={step} isLater={isDecided(i)} />
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

function Step({ step, isLater }: { step: ClientStep; isLater: boolean }) {
  const Icon = icons[step.step];
  const bites = step.decides && step.step !== "safelist" && step.step !== "client";
  const deciding = step.rules.findIndex(({ isDeciding }) => isDeciding);
  return (
    <li className="flex gap-3">
      <span
        className={classes(
          "mt-0.5 flex size-6.5 shrink-0 items-center justify-center rounded-full border [&_.lucide]:size-3.5",
          bites ? "border-blocked-bd bg-blocked-graphic text-on-blocked" : "border-border-2 text-text-3",
          isLater && "border-dashed",
        )}
      >
        <Icon />
      </span>
      <div
        className={classes(
          "flex min-w-0 flex-1 flex-col gap-2 rounded-control border px-3 py-2",
          bites ? "border-blocked-bd bg-blocked-bg" : "border-border bg-sunken",
          isLater && "border-dashed",
        )}
      >
        <div className="flex flex-wrap items-center gap-2">
          <span className="font-semibold">{names[step.step]}</span>
          {step.decides && <Badge tone={bites ? "blocked" : "safelisted"}>this decides</Badge>}
        </div>
        <p className="text-cell wrap-anywhere text-text-2">
          <Untrusted text={step.says} max={400} />
        </p>
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
