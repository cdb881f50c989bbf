"use client";

import { UserPen } from "lucide-react";
import { useState } from "react";
import { Banner } from "@/components/ui/banner.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Timestamp } from "@/components/ui/timestamp.tsx";
import { useToast } from "@/components/ui/toast.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { PolicyVersion } from "@/lib/queries/policy.ts";
import type { PolicyEditor } from "./draft/use-policy.ts";

/** A version was published while this draft was edited: who published it, what changed, and the button to rebase the draft. */
export function Overtaken({ editor }: { editor: PolicyEditor }) {
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const { now, draft, standing, isOvertaken } = editor;
  if (!isOvertaken) return null;
  const since = now.versions.filter(({ version }) => version > draft.basedOn && version <= now.version);
  const rebase = () => {
    const { both } = editor.rebase();
    const title = `Your draft is now based on v${now.version}`;
    const detail =
      both.length > 0 ? `Both changed ${both.join(", ")}: the draft has your version.` : undefined;
    toast({ tone: "plain", title, detail });
  };
  return (
    <Banner
      tone="throttled"
      icon={<UserPen />}
      title={`v${now.version} was published while you edited v${draft.basedOn}. Your draft is kept`}
      actions={
        <>
          <Button aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? "Hide their changes" : "Show their changes"}
          </Button>
          <Button
            variant="primary"
            disabledReason={standing.isLocked ? "Fix the JSON first" : undefined}
            onClick={rebase}
          >
            Rebase on v{now.version}
          </Button>
        </>
      }
    >
      {since.length === 0
        ? "The policy was changed outside of Sluice."
        : since.map((version) => <Theirs key={version.version} version={version} isOpen={isOpen} />)}
    </Banner>
  );
}

function Theirs({ version: theirs, isOpen }: { version: PolicyVersion; isOpen: boolean }) {
  const { version, by, at, reason, changes } = theirs;
  return (
    <div className="flex flex-col gap-1.5 py-0.5">
      <p>
        v{version} by{" "}
        <Untrusted text={by ?? "an unknown user"} max={80} className="font-semibold text-text" />
        {at !== undefined && (
          <>
            {", "}
            <Timestamp at={at} />
          </>
        )}
        : “<Untrusted text={reason} max={160} />”
      </p>
      {isOpen && <ChangesList changes={changes} label={`Changes of v${version}`} />}
    </div>
  );
}

/** Changes between two versions, one sentence each. */
export function ChangesList({ changes, label }: { changes: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-1.5 text-cell">
      {changes.map((sentence) => (
        <li key={sentence} className="rounded-control bg-sunken px-2.5 py-1.5">
          <Untrusted text={sentence} max={400} />
        </li>
      ))}
    </ul>
  );
}
