"use client";

import { X } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import { type Tone, toneText } from "./tone.ts";
import { toneIcon } from "./tone-icon.tsx";

interface Undo {
  label: string;
  run: () => void;
  /** How long undo is offered, in seconds. Default: 10. */
  seconds?: number | undefined;
}

export interface ToastContent {
  tone: Tone;
  title: ReactNode;
  detail?: ReactNode;
  undo?: Undo | undefined;
  /** How long the toast stays without an undo, in seconds. Default: 6. */
  seconds?: number | undefined;
}

type ShowToast = (content: ToastContent) => void;

interface Shown extends ToastContent {
  readonly id: number;
}

const mostAtOnce = 4;

const ToastContext = createContext<ShowToast | undefined>(undefined);

/** @example const toast = useToast(); toast({ tone: "blocked", title: "Blocked 2 for 1 week", undo: { label: "Undo", run } }); */
export function useToast(): ShowToast {
  const show = use(ToastContext);
  if (!show) throw new Error("useToast works inside of ToastProvider");
  return show;
}

let lastId = 0;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const show = useCallback<ShowToast>((content) => {
    lastId += 1;
    const next = { ...content, id: lastId };
    setShown((before) => [...before, next].slice(-mostAtOnce));
  }, []);
  const close = useCallback((id: number) => setShown((before) => before.filter((one) => one.id !== id)), []);
  return (
    <ToastContext value={show}>
      <Radix.Provider swipeDirection="right" label="Notice">
        {children}
        {shown.map(({ id, ...content }) => (
          <ToastCard key={id} {...content} onClose={() => close(id)} />
        ))}
        <Radix.Viewport
          label="Notices ({hotkey})"
          className="fixed right-4 bottom-4 z-80 flex w-100 max-w-[calc(100vw-32px)] flex-col gap-2 rounded-bar max-sm:bottom-20"
        />
      </Radix.Provider>
    </ToastContext>
  );
}

const plainSeconds = 6;

/** Stays while it is hovered or focused. Its countdown pauses then. */
function ToastCard({
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
