"use client";

import { useRef } from "react";
import { Checkbox } from "../../../../components/ui/checkbox.tsx";

interface PickBoxProps {
  readonly isPicked: boolean;
  readonly label: string;
  readonly onPick: (hasShift: boolean) => void;
}

/** A row's box; with shift held it picks everything from the one picked last. */
export function PickBox({ isPicked, label, onPick }: PickBoxProps) {
  const hasShift = useRef(false);
  return (
    <span
      onPointerDownCapture={(event) => {
        hasShift.current = event.shiftKey;
        // Else the browser selects the text of all rows between.
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
