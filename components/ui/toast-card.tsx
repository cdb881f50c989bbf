"use client";

import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import type { ToastContent } from "./toast.tsx";
import { toneText } from "./tone.ts";
import { toneIcon } from "./tone-icon.tsx";

const plainSeconds = 6;

/** Stays while it is hovered or focused. Its countdown pauses then. */
export function ToastCard({
  tone,
  title,
  detail,
  undo,
  seconds: stays = plainSeconds,
  onClose,
}: ToastContent & { onClose: () => void }) {
  const seconds = undo ? (undo.seconds ?? 10) : stays;
  const [isHeld, setIsHeld] = useState(false);
  const left = useCountdown(seconds, isHeld);
  return (
    <Radix.Root
      duration={seconds * 1_000}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onPause={() => setIsHeld(true)}
      onResume={() => setIsHeld(false)}
      className="pointer-events-auto flex animate-rise items-start gap-2.5 rounded-bar bg-overlay p-3 shadow-e2 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      <span className={classes("mt-px", toneText[tone])}>{toneIcon(tone)}</span>
      <div className="min-w-0 flex-1">
        <Radix.Title className="text-body font-semibold wrap-anywhere">{title}</Radix.Title>
        {detail && (
          <Radix.Description className="text-cell text-text-2 wrap-anywhere">{detail}</Radix.Description>
        )}
      </div>
      {undo && (
        <Radix.Action asChild altText={`${undo.label}: also in the audit log`} onClick={undo.run}>
          <Button size="sm">
            {undo.label}
            <span
              aria-hidden="true"
              className="min-w-5 text-right font-normal text-text-3"
            >{`${left} s`}</span>
          </Button>
        </Radix.Action>
      )}
      <Radix.Close asChild>
        <IconButton label="Dismiss" icon={<X />} size="sm" />
      </Radix.Close>
    </Radix.Root>
  );
}

function useCountdown(seconds: number, isHeld: boolean): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    if (isHeld) return;
    const timer = setInterval(() => setLeft((before) => Math.max(0, before - 1)), 1_000);
    return () => clearInterval(timer);
  }, [isHeld]);
  return left;
}
