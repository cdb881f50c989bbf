"use client";

import { useStanding } from "../../../components/shell/status.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { rolesThatMay } from "../../../lib/auth/roles.ts";
import { choicesFor, modeEffects } from "./mode-effects.ts";
import { ModeForm } from "./mode-form.tsx";

interface ModeDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** What the mode means, and, for whoever may, the way to another. */
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
          ? `In an emergency, ${rolesThatMay("ease-off")} may switch to shadow or off; only ${rolesThatMay("enforce")} may switch back.`
          : "The mode is not known just now."}
      </p>
      <Button size="lg" className="self-end" onClick={onClose}>
        Close
      </Button>
    </div>
  );
}
