"use client";

import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { useTellSaved } from "@/components/console/draft-page.tsx";
import { answered } from "@/components/console/in-steps.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import type { Result } from "@/lib/console/action.ts";
import { publishPolicy, rollBack } from "@/lib/console/actions/policy.ts";
import type { Failure } from "@/lib/console/failure.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";

interface Saved {
  readonly change: number | null;
  readonly version: number;
}

export interface Publishing {
  readonly isBusy: boolean;
  /** Why publishing failed. */
  readonly failure: Failure | undefined;
  /** True if it is in force. */
  publish(reason: string): Promise<boolean>;
  rollBack(version: number, reason: string): Promise<boolean>;
  forget(): void;
}

/** Publishes and rolls back. A failure leaves the draft unchanged. */
export function usePublish(editor: PolicyEditor): Publishing {
  const { run, isBusy, failure, forget } = useMutate();
  const { ask } = useStanding();
  const tell = useTellSaved(() => Promise.all([editor.read(), ask()]));
  const send = async (
    call: () => Promise<Result<Saved>>,
    onSaved: () => void,
    title: (saved: Saved) => string,
  ) => {
    const saved = await run(async () => {
      const result = await answered(call);
      if (result.ok) onSaved();
      await editor.read();
      return result;
    });
    if (!saved) return false;
    const { change } = saved.value;
    tell({
      title: change === null ? "No change needed" : title(saved.value),
      detail: <ChangeProgress change={change} />,
      changes: change === null ? [] : [change],
      undoReason: "Undone at once",
    });
    void ask();
    return true;
  };
  const basedOn = editor.draft.basedOn;
  return {
    ...{ isBusy, failure, forget },
    publish: (reason) => {
      const { wished } = editor.standing;
      if (!wished || isBusy) return Promise.resolve(false);
      return send(
        () => publishPolicy({ policy: { ...wished }, basedOn, reason }),
        editor.discard,
        ({ version }) => `Version ${version} published`,
      );
    },
    rollBack: (version, reason) =>
      send(
        () => rollBack({ version, basedOn: editor.now.version, reason }),
        () => {},
        (saved) => `Rolled back to version ${version} (published as version ${saved.version})`,
      ),
  };
}
