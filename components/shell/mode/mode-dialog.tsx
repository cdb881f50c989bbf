"use client";

import { useStanding } from "@/components/console/status.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { rolesThatMay } from "@/lib/manage/users/roles.ts";
import { choicesFor, modeEffects } from "./mode-effects.ts";
import { ModeForm } from "./mode-form.tsx";

interface ModeDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Explains the mode. Users with the permission can switch it. */
export function ModeDialog({ isOpen, onClose }: ModeDialogProps) {
  const { known } = useStanding();
  const effect = known && modeEffects[known.mode];
  const choices = known ? choicesFor(known.you.role, known.mode) : [];
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Emergency switch"
      description={effect && `${effect.now}. ${effect.effect}`}
      width={540}
      isAlert
    >
      {known && choices.length > 0 ? (
        <ModeForm you={known.you} choices={choices} onClose={onClose} />
      ) : (
        <ReadOnly isKnown={known !== undefined} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ReadOnly({ isKnown, onClose }: { isKnown: boolean; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body text-text-2">
        {isKnown
          ? `In an emergency, ${rolesThatMay("ease-off")} can switch to shadow or off. Only ${rolesThatMay("enforce")} can switch back.`
          : "The mode is unknown."}
      </p>
      <Button size="lg" className="self-end" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
