"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { DraftPage } from "@/components/console/draft-page.tsx";
import { lazyDialog } from "@/components/console/lazy-dialog.tsx";
import { Card } from "@/components/ui/card.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { PolicyReply } from "@/lib/queries/policy.ts";
import type { FormPolicy } from "./draft/draft.ts";
import type { PolicyEditor } from "./draft/use-policy.ts";
import { EdgeCard } from "./edge-card.tsx";
import { FindCard } from "./finder/find-card.tsx";
import { JsonCard } from "./json-card.tsx";
import { LimitsCard } from "./limits/limits-card.tsx";
import { Overtaken } from "./overtaken.tsx";
import { usePolicyUrl } from "./policy-url.ts";
import { PublishBar } from "./publish-bar.tsx";
import { RequestRulesCard } from "./requests/request-rules-card.tsx";
import { inserted, type RuleKind, type RulePlace, ruleFromLink, rulesOf } from "./rules/rules.ts";
import { ThrottlesCard } from "./rules/throttles-card.tsx";
import { TiersCard } from "./tiers/tiers-card.tsx";
import { usePublish } from "./versions/use-publish.tsx";
import { VersionsCard } from "./versions/versions-card.tsx";
import { Locked } from "./view-switch.tsx";

/** Below the rules, so its code may come after the page. */
const AttackCard = dynamic(() => import("./attack/attack-card.tsx").then((file) => file.AttackCard), {
  ssr: false,
  loading: () => (
    <Card title="Attack mode">
      <Skeleton className="h-56 w-full" />
    </Card>
  ),
});

/** Fetched when they are opened. */
const RuleSheet = lazyDialog(() => import("./rules/rule-sheet.tsx").then((file) => file.RuleSheet));
const PublishDialog = lazyDialog(() =>
  import("./versions/version-dialogs.tsx").then((file) => file.PublishDialog),
);

/** @param children notices about the policy in force */
export function PolicyDesk({ editor, children }: { editor: PolicyEditor; children: ReactNode }) {
  const [url] = usePolicyUrl();
  const publishing = usePublish(editor);
  const [open, setOpen] = useState<"publish" | "compare">();
  const rule = useOpenRule(editor);
  useRuleFromLab(editor, rule.open);
  const mayPublish = editor.standing.changes.length > 0 && !editor.isOvertaken;
  return (
    <DraftPage
      isEdited={editor.standing.isEdited}
      onSubmit={mayPublish ? () => setOpen("publish") : undefined}
    >
      <PageHeader title="Policy" facts={<InForce now={editor.now} />} />
      {children}
      <Overtaken editor={editor} />
      <Locked editor={editor} />
      {url.view === "json" ? (
        <>
          <JsonCard editor={editor} />
          <VersionsCard {...{ editor, publishing }} />
        </>
      ) : (
        <>
          <ThrottlesCard editor={editor} onOpen={rule.open} />
          <RequestRulesCard editor={editor} onOpen={rule.open} />
          <div id="attack-mode" className="scroll-mt-16">
            <AttackCard editor={editor} />
          </div>
          {editor.now.limits.length > 0 && <LimitsCard editor={editor} />}
          <div className="grid gap-3 lg:grid-cols-2">
            <TiersCard editor={editor} />
            <VersionsCard {...{ editor, publishing }} />
          </div>
          <FindCard editor={editor} />
          <EdgeCard editor={editor} />
        </>
      )}
      <PublishBar editor={editor} onCompare={() => setOpen("compare")} onPublish={() => setOpen("publish")} />
      {rule.at && <RuleSheet editor={editor} {...rule.at} onClose={rule.close} />}
      {open && (
        <PublishDialog
          {...{ editor, publishing }}
          isLookOnly={open === "compare"}
          onClose={() => setOpen(undefined)}
        />
      )}
    </DraftPage>
  );
}

/** Adds a rule from the Lab, which is in the URL, once. */
function useRuleFromLab(editor: PolicyEditor, onOpen: (at: RulePlace) => void): void {
  const toast = useToast();
  useEffect(() => {
    const url = new URL(window.location.href);
    const brought = url.searchParams.get("draft");
    if (brought === null) return;
    url.searchParams.delete("draft");
    window.history.replaceState(null, "", url);
    const { policy } = editor.draft;
    const rule = ruleFromLink(policy, brought);
    if (!rule || !editor.mayEdit) {
      const detail = rule
        ? "Only an admin can change the policy, and its JSON must be valid."
        : "The link contains no rule.";
      return toast({ tone: "plain", title: "The rule from the Lab was not added", detail });
    }
    const end = { kind: "rules", place: policy.rules.length } as const;
    editor.edit((now) => inserted(now, end, rule));
    onOpen(end);
  }, [editor, onOpen, toast]);
}

/** Version in force, since when, and who published it. */
function InForce({ now: { version, at, by } }: { now: PolicyReply }) {
  return (
    <span>
      <span className="font-medium text-text-2">v{version}</span> in force
      {at === undefined ? (
        ", the default of a fresh install"
      ) : (
        <>
          {" since "}
          <Timestamp at={at} />
        </>
      )}
      {by !== undefined && (
        <>
          {" by "}
          <Untrusted text={by} max={80} />
        </>
      )}
    </span>
  );
}

/** Rule whose editor is open: by place here, because the name may be edited, and by name in the URL. */
function useOpenRule({ draft }: PolicyEditor) {
  const [url, change] = usePolicyUrl();
  const [at, setAt] = useState(() => placeOf(draft.policy, url.rule));
  const open = useCallback(
    (next: RulePlace) => {
      setAt(next);
      const name = rulesOf(draft.policy, next.kind)[next.place]?.name;
      if (typeof name === "string") change({ rule: name });
    },
    [draft, change],
  );
  const close = () => {
    setAt(undefined);
    change({ rule: undefined });
  };
  return { at, open, close };
}

const kinds: readonly RuleKind[] = ["rules", "requestRules"];

/** Place of the rule with this name. */
function placeOf(policy: FormPolicy, named: string | undefined): RulePlace | undefined {
  if (named === undefined) return undefined;
  return kinds
    .map((kind) => ({ kind, place: rulesOf(policy, kind).findIndex(({ name }) => name === named) }))
    .find(({ place }) => place >= 0);
}
