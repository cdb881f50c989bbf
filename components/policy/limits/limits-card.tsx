"use client";

import { Check, Eye } from "lucide-react";
import { useState } from "react";
import { ByWidth } from "@/components/console/by-width.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { narrowForButtons } from "@/components/console/use-media.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { LimitOfCode } from "@/lib/queries/policy.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";

/** Loaded when it is first opened. */
const LimitDialog = lazyDialog(() => import("./limit-dialog.tsx").then((file) => file.LimitDialog));

/** Limits that the code of apps names. An admin changes them at once, without a version. */
export function LimitsCard({ editor }: { editor: PolicyEditor }) {
  const [open, setOpen] = useState<string>();
  const { limits } = editor.now;
  const opened = limits.find(({ field }) => field === open);
  const change = editor.mayChange ? setOpen : undefined;
  return (
    <Card
      isFlush
      title="Limits in code"
      hint={<span className="max-sm:hidden">what is published here wins over the code, at once</span>}
    >
      <ByWidth
        width={narrowForButtons}
        below={
          <ul aria-label="Limits in code">
            {limits.map((limit) => (
              <LimitItem key={limit.field} limit={limit} onChange={change} />
            ))}
          </ul>
        }
        above={
          <TableFrame label="Limits in code" isInset>
            <thead>
              <tr>
                <Th>Limit</Th>
                <Th>Counts by</Th>
                <Th>Levels</Th>
                <Th isNumber>Checked in 1 h</Th>
                <Th isNumber>Denied</Th>
                <Th isNumber>Would be denied</Th>
                <Th>Mode</Th>
                <Th isLabelHidden>Change</Th>
              </tr>
            </thead>
            <tbody>
              {limits.map((limit) => (
                <LimitRow key={limit.field} limit={limit} onChange={change} />
              ))}
            </tbody>
          </TableFrame>
        }
      />
      {opened && <LimitDialog limit={opened} editor={editor} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

interface LimitProps {
  limit: LimitOfCode;
  /** Undefined for roles that may not. */
  onChange: ((field: string) => void) | undefined;
}

export function LimitRow({ limit, onChange }: LimitProps) {
  return (
    <Tr>
      <Td className="py-1.5">
        <LimitName limit={limit} />
      </Td>
      <Td className="text-text-2">{limit.code?.by ?? "–"}</Td>
      <Td className="py-1.5">
        <Levels limit={limit} />
      </Td>
      <Td isNumber>{countText(limit.checked)}</Td>
      <Td isNumber>{countText(limit.denied)}</Td>
      <Td isNumber className="text-shadow">
        {limit.shadowed === 0 ? <span className="text-text-3">–</span> : countText(limit.shadowed)}
      </Td>
      <Td className="w-0">
        <LimitMode limit={limit} />
      </Td>
      <Td className="w-0">
        <ChangeButton {...{ limit, onChange }} />
      </Td>
    </Tr>
  );
}

/** The same for narrow windows. */
function LimitItem({ limit, onChange }: LimitProps) {
  return (
    <li className="flex flex-col gap-2 border-t border-border px-3.5 py-3 text-cell">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <LimitName limit={limit} />
        </div>
        <LimitMode limit={limit} />
      </div>
      <div>
        <Levels limit={limit} />
      </div>
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 text-text-3">
          In the last hour: {countText(limit.checked)} checked, {countText(limit.denied)} denied
          {limit.shadowed > 0 && `, ${countText(limit.shadowed)} would be denied`}
        </p>
        <ChangeButton {...{ limit, onChange }} />
      </div>
    </li>
  );
}

function LimitName({ limit: { app, name } }: { limit: LimitOfCode }) {
  return (
    <>
      <Untrusted text={name} max={64} className="block font-mono font-medium wrap-anywhere" />
      <span className="block text-meta text-text-3">
        From code, app <Untrusted text={app} max={64} />
      </span>
    </>
  );
}

/** What is in force, and where it is not what the code says. */
function Levels({ limit: { code, published, inForce, isDifferent, problem } }: { limit: LimitOfCode }) {
  return (
    <>
      <span className="block">{inForce?.says ?? "No node has reported it for a week"}</span>
      {problem !== undefined && (
        <span className="block text-meta text-blocked">What is published is not in force: {problem}.</span>
      )}
      {isDifferent && code && (
        <span className="block text-meta text-text-3">
          In code: {code.says}
          {published?.mode !== undefined && code.mode !== published.mode && `, ${code.mode}`}
        </span>
      )}
      {published && (
        <span className="block text-meta text-text-3">
          Published
          {published.by !== "" && (
            <>
              {" by "}
              <Untrusted text={published.by} max={80} />
            </>
          )}
          {published.at !== "" && (
            <>
              {", "}
              <Timestamp at={published.at} />
            </>
          )}
        </span>
      )}
    </>
  );
}

const looks = {
  off: { tone: "plain", label: "Off", icon: undefined },
  shadow: { tone: "shadow", label: "Shadow", icon: <Eye /> },
  enforce: { tone: "pass", label: "Enforce", icon: <Check /> },
} as const;

function LimitMode({ limit: { inForce, published } }: { limit: LimitOfCode }) {
  const mode = inForce?.mode ?? published?.mode;
  const look = mode === "off" || mode === "shadow" || mode === "enforce" ? looks[mode] : undefined;
  if (!look) return null;
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.label}
    </Badge>
  );
}

function ChangeButton({ limit, onChange }: LimitProps) {
  if (!onChange) return null;
  return (
    <Button aria-label={`Change ${limit.field}`} onClick={() => onChange(limit.field)}>
      Change
    </Button>
  );
}
