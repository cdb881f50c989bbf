"use client";

import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { useTellSaved } from "@/components/console/draft-page.tsx";
import { answered } from "@/components/console/in-steps.ts";
import { useStanding } from "@/components/console/status.tsx";
import { useMutate } from "@/components/console/use-mutate.ts";
import type { Result } from "@/lib/console/action.ts";
import { publishPolicy, rollBack } from "@/lib/console/actions/policy.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";

export type Publishing = ReturnType<typeof usePublish>;

/** Publishes and rolls back. A failure leaves the draft unchanged. */
export function usePublish(editor: PolicyEditor) {
  const { run, isBusy, failure, forget } = useMutate();
  const { ask } = useStanding();
  const tell = useTellSaved(() => Promise.all([editor.read(), ask()]));
  /** True if it is in force. */
  const send = async (
    call: () => Promise<Result<{ readonly change: number | null; readonly version: number }>>,
    title: (version: number) => string,
    onSaved?: () => void,
  ) => {
    const saved = await run(async () => {
      const result = await answered(call);
      if (result.ok) onSaved?.();
      await editor.read();
      return result;
    });
    if (!saved) return false;
    const { change, version } = saved.value;
    tell({
      title: change === null ? "No change needed" : title(version),
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
    publish: (reason: string, untilMs?: number) => {
      const { wished } = editor.standing;
      if (!wished || isBusy) return Promise.resolve(false);
      return send(
        () => publishPolicy({ policy: { ...wished }, basedOn, reason, untilMs }),
        (version) => `Version ${version} published`,
        editor.discard,
      );
    },
    rollBack: (version: number, reason: string) =>
      send(
        () => rollBack({ version, basedOn: editor.now.version, reason }),
        (next) => `Rolled back to version ${version} (published as version ${next})`,
      ),
  };
}
