"use client";

import { Upload } from "lucide-react";
import { type ChangeEvent, type DragEvent, useId, useState } from "react";
import { classes } from "@/components/ui/classes.ts";

/** Accepts one file, dropped or chosen. */
export function DropZone({ onFile }: { onFile: (file: File) => void }) {
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
        Columns: address, ttl or expires_at, reason. Only the address is needed.
      </p>
    </div>
  );
}
