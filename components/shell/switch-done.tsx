import { ChangeProgress } from "@/components/console/change-progress.tsx";
import { Button } from "@/components/ui/button.tsx";

interface SwitchDoneProps {
  /** Null where nothing had to be written. */
  change: number | null;
  unchanged: string;
  onClose: () => void;
}

/** What a switch of the whole fleet shows once it is written: the nodes that follow. */
export function SwitchDone({ change, unchanged, onClose }: SwitchDoneProps) {
  return (
    <div className="flex flex-col gap-3">
      {change === null ? (
        <p className="text-cell text-text-2">{unchanged}</p>
      ) : (
        <ChangeProgress change={change} />
      )}
      <Button size="lg" variant="primary" className="self-end" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
