import { TriangleAlert, Upload } from "lucide-react";
import { type ChangeEvent, type DragEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { ProgressBar } from "@/components/ui/progress-bar.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText } from "@/components/ui/value-text.ts";
import type { ListName } from "@/lib/redis/keys.ts";
import { ExpiryField } from "../composer/expiry-field.tsx";
import { PreviewList } from "../composer/preview-list.tsx";
import { Outcome } from "../composer/preview-pane.tsx";
import { TagsField } from "../tags/tags-field.tsx";
import type { Importing } from "./use-import.ts";

export interface ImportBodyProps {
  readonly list: ListName;
  readonly importing: Importing;
  readonly mayForever: boolean;
}

export function ImportBody(props: ImportBodyProps) {
  const { list, importing } = props;
  const { state, confirm, chooseCustomer, withCustomers } = importing;
  return (
    <div aria-live="polite" className="flex flex-col gap-4">
      {state.at === "choosing" && <Chooser {...props} />}
      {(state.at === "looking" || state.at === "writing") && (
        <Progress verb={state.at === "looking" ? "Checking" : "Importing"} {...state} />
      )}
      {state.at === "seen" && (
        <PreviewList
          list={list}
          preview={state.preview}
          onConfirm={confirm}
          onChoose={chooseCustomer}
          chosen={withCustomers}
        />
      )}
      {state.at === "written" && (
        <Outcome title={`${countText(state.total.done)} imported`} total={state.total} most={5} />
      )}
      {(state.at === "choosing" || state.at === "seen") && <Choices {...props} />}
    </div>
  );
}

function Chooser({ importing: { state, choose, look } }: ImportBodyProps) {
  return (
    <div className="flex flex-col gap-2">
      <DropZone onFile={(file) => void choose(file)} />
      {state.at === "choosing" && state.problem && (
        <div role="alert" className="flex flex-wrap items-center gap-2 text-cell text-blocked">
          <TriangleAlert />
          <span className="min-w-0 flex-1">{state.problem}</span>
          {state.name !== undefined && (
            <Button onClick={() => void look()}>
              Retry <Untrusted text={state.name} max={30} />
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Choices({ importing, mayForever }: ImportBodyProps) {
  const { expiry, reason, tagText, changeExpiry, setReason, setTagText, lookForTags } = importing;
  return (
    <div className="flex flex-col gap-3 border-t border-border pt-3">
      <p className="text-cell text-text-3">For lines without their own duration or reason:</p>
      <ExpiryField expiry={expiry} mayForever={mayForever} onChange={changeExpiry} />
      <Field label="Reason" hint="shown in the audit log">
        <Input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <TagsField
        label="Tag all lines with"
        hint="besides the tags of each line"
        text={tagText}
        onChange={setTagText}
        onLeave={lookForTags}
      />
    </div>
  );
}

function Progress({ verb, name, done, of }: { verb: string; name: string; done: number; of: number }) {
  return (
    <div className="flex flex-col gap-2 py-4 text-cell text-text-2">
      <p className="text-body">
        {verb}: <Untrusted text={name} max={60} />
      </p>
      <ProgressBar label={verb} done={done} of={of} />
    </div>
  );
}

/** Accepts one file, dropped or chosen. */
function DropZone({ onFile }: { onFile: (file: File) => void }) {
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file) onFile(file);
    // The same file can be chosen again after it was fixed.
    target.value = "";
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files are dropped here; the field inside works with the keyboard.
    <div
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={classes(
        "flex flex-col items-center gap-2 rounded-card border border-dashed px-4 py-8 text-center",
        isOver ? "border-text bg-hover" : "border-control",
      )}
    >
      <Upload className="text-text-3" />
      <label htmlFor={id} className="text-body font-semibold">
        Drop a file here, or choose one
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        onChange={choose}
        className="max-w-full text-cell text-text-2 file:mr-2 file:h-7 file:rounded-control file:border file:border-solid file:border-border-2 file:bg-surface file:px-2.5 file:text-text max-sm:file:h-11"
      />
      <p className="text-cell text-text-3">
        Columns: address, ttl or expires_at, reason, tags. Only the address is needed.
      </p>
    </div>
  );
}
