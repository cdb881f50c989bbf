"use client";

import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { PageHeader } from "../../../../components/ui/page-header.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import { inserted, ruleFromLink } from "../_draft/rules.ts";
import type { PolicyEditor } from "../_draft/use-policy.ts";
import { usePolicyUrl } from "../_draft/use-policy-url.ts";
import { usePublish } from "../_draft/use-publish.tsx";
import { FindCard } from "../_find/find-card.tsx";
import { RuleSheet } from "../_rule/rule-sheet.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { EdgeCard } from "./edge-card.tsx";
import { InForce } from "./in-force.tsx";
import { JsonCard } from "./json-card.tsx";
import { Locked } from "./locked.tsx";
import { Overtaken } from "./overtaken.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { RulesCard } from "./rules-card.tsx";
import { TiersCard } from "./tiers-card.tsx";
import { useOpenRule } from "./use-open-rule.ts";
import { VersionsCard } from "./versions-card.tsx";

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
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || !mayPublish) return;
    // A dialog is a child of this page, and stands elsewhere in the document.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
    event.preventDefault();
    setOpen("publish");
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of the button below, from any field.
    <div onKeyDown={publishByKey} className="flex flex-1 flex-col gap-3">
      <PageHeader title="Policy" facts={<InForce now={editor.now} />} />
      {notices}
      <Overtaken editor={editor} />
      <Locked editor={editor} />
      <FindCard editor={editor} />
      <div className="grid items-start gap-3 min-[1400px]:grid-cols-[minmax(0,1fr)_344px]">
        <div className="flex min-w-0 flex-col gap-3">
          {url.view === "json" ? (
            <JsonCard editor={editor} />
          ) : (
            <>
              <RulesCard editor={editor} onOpen={rule.open} />
              <TiersCard editor={editor} />
              <EdgeCard editor={editor} />
            </>
          )}
        </div>
        <VersionsCard {...{ editor, publishing }} />
      </div>
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

/** A rule that was tried in the Lab comes in the address, once. */
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
        ? "Only an admin changes the policy, and its JSON has to parse."
        : "The link holds no rule.";
      return toast({ tone: "plain", title: "The rule from the Lab is not in the draft", detail });
    }
    editor.edit((now) => inserted(now, policy.rules.length, rule));
    onOpen(policy.rules.length);
  }, [editor, onOpen, toast]);
}

/** The browser asks before a reload loses what was typed. */
function useWarningBeforeLeaving(isEdited: boolean): void {
  useEffect(() => {
    if (!isEdited) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isEdited]);
}
