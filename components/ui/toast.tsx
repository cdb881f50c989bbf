"use client";

import { Toast as Radix } from "radix-ui";
import { createContext, type ReactNode, use, useCallback, useState } from "react";
import { noticesKey } from "./notices-key.ts";
import { ToastCard } from "./toast-card.tsx";
import type { Tone } from "./tone.ts";

export interface Undo {
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

export type ShowToast = (content: ToastContent) => void;

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
          hotkey={[noticesKey]}
          className="fixed right-4 bottom-4 z-80 flex w-100 max-w-[calc(100vw-32px)] flex-col gap-2 rounded-bar max-sm:bottom-20"
        />
      </Radix.Provider>
    </ToastContext>
  );
}
