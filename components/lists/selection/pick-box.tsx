"use client";

import { useRef } from "react";
import { Checkbox } from "@/components/ui/checkbox.tsx";

interface PickBoxProps {
  readonly isPicked: boolean;
  readonly label: string;
  readonly onPick: (hasShift: boolean) => void;
}

/** Checkbox of a row. With Shift, it selects all rows from the one selected last. */
export function PickBox({ isPicked, label, onPick }: PickBoxProps) {
  const hasShift = useRef(false);
  return (
    <span
      onPointerDownCapture={(event) => {
        hasShift.current = event.shiftKey;
        // Without this the browser selects the text of all rows between.
        if (event.shiftKey) event.preventDefault();
      }}
      onKeyDownCapture={(event) => {
        hasShift.current = event.shiftKey;
      }}
    >
      <Checkbox checked={isPicked} onChange={() => onPick(hasShift.current)} label={label} isLabelHidden />
    </span>
  );
}
