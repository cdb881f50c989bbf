import type { ComponentProps } from "react";
import { Button } from "./button.tsx";

/** Foot of a dialog: Cancel, and the button with the outcome, which takes the other props. */
export function DialogActions({
  onCancel,
  ...outcome
}: ComponentProps<typeof Button> & { onCancel: () => void }) {
  return (
    <>
      <Button variant="ghost" size="lg" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="primary" size="lg" {...outcome} />
    </>
  );
}
