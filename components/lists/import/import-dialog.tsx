import { Button } from "@/components/ui/button.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { wordsOf } from "../list-words.ts";
import { ImportBody, type ImportBodyProps } from "./import-body.tsx";
import { useImport } from "./use-import.ts";

interface ImportDialogProps {
  readonly list: ListName;
  readonly mayForever: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Imports a file of entries. Its effect is shown before the write. */
export function ImportDialog({ list, mayForever, isOpen, onClose }: ImportDialogProps) {
  const importing = useImport(list, mayForever);
  const { state, reset } = importing;
  const close = () => {
    if (state.at === "writing") return;
    if (state.at === "written") reset();
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      width={640}
      title={`Import into the ${list}`}
      description="A CSV file in the format of the export, or one address per line."
      footer={<Foot {...{ list, importing, close }} />}
    >
      <ImportBody {...{ list, importing, mayForever }} />
    </Dialog>
  );
}

interface FootProps extends Omit<ImportBodyProps, "mayForever"> {
  readonly close: () => void;
}

function Foot({ list, importing: { state, ttl, tags, submit, reset }, close }: FootProps) {
  if (state.at === "written") {
    return (
      <>
        <Button size="lg" variant="ghost" onClick={reset}>
          Import another
        </Button>
        <Button size="lg" variant="primary" onClick={close}>
          Done
        </Button>
      </>
    );
  }
  const count = state.at === "seen" ? state.preview.willWrite.length : 0;
  const isWriting = state.at === "writing";
  return (
    <>
      <Button size="lg" variant="ghost" disabled={isWriting} onClick={close}>
        Cancel
      </Button>
      {state.at === "seen" && (
        <Button size="lg" disabled={isWriting} onClick={reset}>
          Choose another file
        </Button>
      )}
      <Button
        size="lg"
        variant="primary"
        isBusy={isWriting}
        disabled={!isWriting && (count === 0 || !ttl.ok || !tags.ok)}
        onClick={() => void submit()}
      >
        {isWriting ? "Importing" : count > 0 ? `${wordsOf[list].verb} ${countText(count)}` : "Import"}
      </Button>
    </>
  );
}
