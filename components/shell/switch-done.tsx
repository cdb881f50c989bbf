"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { useUndo } from "@/components/console/use-undo.tsx";
import { Button } from "@/components/ui/button.tsx";

interface SwitchDoneProps {
  /** Null where nothing had to be written. */
  change: number | null;
  unchanged: string;
  /** The user's role may put back what was before. */
  mayUndo: boolean;
  onClose: () => void;
}

/** What a switch of the whole fleet shows once it is written: the nodes that follow, and its undo. */
export function SwitchDone({ change, unchanged, mayUndo, onClose }: SwitchDoneProps) {
  const undo = useUndo();
  const client = useQueryClient();
  const takeBack = async (changed: number) => {
    onClose();
    await undo({ changes: [changed], reason: "Undone at once" });
    await client.invalidateQueries();
  };
  return (
    <div className="flex flex-col gap-3">
      {change === null ? (
        <p className="text-cell text-text-2">{unchanged}</p>
      ) : (
        <ChangeProgress change={change} />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {change !== null && mayUndo && (
          <Button size="lg" icon={<Undo2 />} onClick={() => void takeBack(change)}>
            Undo
          </Button>
        )}
        <Button size="lg" variant="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
