"use client";

import dynamic from "next/dynamic";
import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { isPressed } from "@/components/console/shortcuts.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import type { PolicyEditor } from "./draft/use-policy.ts";
import { DraftBar } from "./draft-bar.tsx";
import { EdgeCard } from "./edge-card.tsx";
import { FindCard } from "./finder/find-card.tsx";
import { InForce } from "./in-force.tsx";
import { JsonCard } from "./json-card.tsx";
import { Locked } from "./locked.tsx";
import { Overtaken } from "./overtaken.tsx";
import { usePolicyUrl } from "./policy-url.ts";
import { inserted, ruleFromLink } from "./rules/rules.ts";
import { RulesCard } from "./rules/rules-card.tsx";
import { useOpenRule } from "./rules/use-open-rule.ts";
import { TiersCard } from "./tiers/tiers-card.tsx";
import { usePublish } from "./versions/use-publish.tsx";
import { VersionsCard } from "./versions/versions-card.tsx";

/** Fetched when they are opened. */
const RuleSheet = dynamic(() => import("./rules/rule-sheet.tsx").then((file) => file.RuleSheet));
const PublishDialog = dynamic(() =>
  import("./versions/publish-dialog.tsx").then((file) => file.PublishDialog),
);

type Open = "publish" | "compare" | undefined;

export function PolicyDesk({ editor, notices }: { editor: PolicyEditor; notices: ReactNode }) {
  const [url] = usePolicyUrl();
  const publishing = usePublish(editor);
  const [open, setOpen] = useState<Open>();
  const rule = useOpenRule(editor);
  useRuleFromLab(editor, rule.open);
  useWarningBeforeLeaving(editor.standing.isEdited);
  const mayPublish = editor.standing.changes.length > 0 && !editor.isOvertaken;
  const publishByKey = (event: KeyboardEvent) => {
    if (!isPressed("submit", event) || !mayPublish) return;
    // React events of a dialog reach this page, although the dialog is elsewhere in the document.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    setOpen("publish");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: shortcut for the button below, from any field.
    <div onKeyDown={publishByKey} className="flex flex-1 flex-col gap-3">
      <PageHeader title="Policy" facts={<InForce now={editor.now} />} />
      {notices}
      <Overtaken editor={editor} />
      <Locked editor={editor} />
      {url.view === "json" ? (
        <>
          <JsonCard editor={editor} />
          <VersionsCard {...{ editor, publishing }} />
        </>
      ) : (
        <>
          <RulesCard editor={editor} onOpen={rule.open} />
          <div className="grid items-start gap-3 lg:grid-cols-2">
            <TiersCard editor={editor} />
            <VersionsCard {...{ editor, publishing }} />
          </div>
          <FindCard editor={editor} />
          <EdgeCard editor={editor} />
        </>
      )}
      <DraftBar editor={editor} onCompare={() => setOpen("compare")} onPublish={() => setOpen("publish")} />
      {rule.place !== undefined && <RuleSheet editor={editor} place={rule.place} onClose={rule.close} />}
      {open && (
        <PublishDialog
          {...{ editor, publishing }}
          isLookOnly={open === "compare"}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

/** Adds a rule from the Lab, which is in the URL, once. */
function useRuleFromLab(editor: PolicyEditor, onOpen: (place: number) => void): void {
  const toast = useToast();
  useEffect(() => {
    const url = new URL(window.location.href);
    const brought = url.searchParams.get("draft");
    if (brought === null) return;
    url.searchParams.delete("draft");
    window.history.replaceState(null, "", url);
    const { policy } = editor.draft;
    const rule = ruleFromLink(policy, brought);
    if (!rule || !editor.mayChange || editor.standing.isLocked) {
      const detail = rule
        ? "Only an admin can change the policy, and its JSON must be valid."
        : "The link contains no rule.";
      return toast({ tone: "plain", title: "The rule from the Lab was not added", detail });
    }
    editor.edit((now) => inserted(now, policy.rules.length, rule));
    onOpen(policy.rules.length);
  }, [editor, onOpen, toast]);
}

/** Makes the browser ask before a reload loses the draft. */
function useWarningBeforeLeaving(isEdited: boolean): void {
  useEffect(() => {
    if (!isEdited) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isEdited]);
}
