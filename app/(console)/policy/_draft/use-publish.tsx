"use client";

import { useState } from "react";
import { ChangeProgress } from "../../../../components/change-progress.tsx";
import { useStanding } from "../../../../components/shell/status.tsx";
import { useToast } from "../../../../components/ui/toast.tsx";
import { undoChange } from "../../../_actions/audit.ts";
import { publishPolicy, rollBack } from "../../../_actions/policy.ts";
import type { Result } from "../../../_server/action.ts";
import { answered } from "../../_lists/in-steps.ts";
import type { PolicyEditor } from "./use-policy.ts";

interface Saved {
  readonly change: number | null;
  readonly version: number;
}

export interface Publishing {
  readonly isBusy: boolean;
  /** Why nothing was saved. */
  readonly problem: string | undefined;
  /** True when it is in force. */
  publish(reason: string): Promise<boolean>;
  rollBack(version: number, reason: string): Promise<boolean>;
  forget(): void;
}

/** The way of a policy to the server, and what comes back of it. A refusal leaves the draft as it is. */
export function usePublish(editor: PolicyEditor): Publishing {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const tell = useTellSaved(editor);
  const send = async (
    call: () => Promise<Result<Saved>>,
    onSaved: () => void,
    title: (saved: Saved) => string,
  ) => {
    setIsBusy(true);
    setProblem(undefined);
    const result = await answered(call);
    if (result.ok) onSaved();
    await editor.read();
    setIsBusy(false);
    if (!result.ok) {
      setProblem(result.error.message);
      return false;
    }
    tell(title(result.value), result.value.change);
    return true;
  };
  const basedOn = editor.draft.basedOn;
  return {
    ...{ isBusy, problem },
    forget: () => setProblem(undefined),
    publish: (reason) => {
      const { wished } = editor.standing;
      if (!wished || isBusy) return Promise.resolve(false);
      return send(
        () => publishPolicy({ policy: { ...wished }, basedOn, reason }),
        editor.discard,
        ({ version }) => `Version ${version} is published`,
      );
    },
    rollBack: (version, reason) =>
      send(
        () => rollBack({ version, basedOn: editor.now.version, reason }),
        () => {},
        (saved) => `Version ${saved.version} says what version ${version} said`,
      ),
  };
}

/** Says that it is saved and how far it got, and takes it back on request. */
function useTellSaved({ read }: PolicyEditor) {
  const toast = useToast();
  const { ask } = useStanding();
  const undo = async (change: number) => {
    const undone = await answered(() => undoChange({ changes: [change], reason: "Undone at once" }));
    if (undone.ok)
      toast({ tone: "plain", title: "Undone", detail: <ChangeProgress change={undone.value.change} /> });
    else toast({ tone: "blocked", title: "Not undone", detail: undone.error.message });
    await Promise.all([read(), ask()]);
  };
  return (title: string, change: number | null) => {
    toast({
      tone: "pass",
      title: change === null ? "Nothing had to be changed" : title,
      detail: <ChangeProgress change={change} />,
      undo: change === null ? undefined : { label: "Undo", run: () => void undo(change) },
    });
    void ask();
  };
}
