import { Button } from "../../../../../components/ui/button.tsx";

/** The end of a dialog that has nothing left to ask. */
export function Done({ onClose }: { onClose: () => void }) {
  return (
    <Button variant="primary" size="lg" onClick={onClose}>
      Done
    </Button>
  );
}
