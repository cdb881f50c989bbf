"use client";

import { Search } from "lucide-react";
import { createContext, type ReactNode, use, useEffect, useRef, useState } from "react";
import { ariaKeysOf, kbdOf } from "@/components/console/shortcuts.ts";
import { useKey } from "@/components/console/use-key.ts";
import { classes } from "@/components/ui/classes.ts";
import { Kbd } from "@/components/ui/kbd.tsx";
import { useSingleKeys } from "@/components/ui/single-keys.ts";
import { useToast } from "@/components/ui/toast.tsx";
import { collectKeys, type EarlyKeys } from "./early-keys.ts";

const load = () => import("./look-up-dialog.tsx").then(({ LookUpDialog }) => LookUpDialog);
type Dialog = Awaited<ReturnType<typeof load>>;

const OpenContext = createContext<() => void>(() => {});

/** Opens with its box, with Ctrl-K or ⌘K anywhere, and with a slash outside of text fields. Its code is fetched after the page. */
export function LookUpProvider({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  /** Undefined until its code has come. */
  const [dialog, setDialog] = useState<{ readonly Dialog: Dialog }>();
  const early = useRef<EarlyKeys>(undefined);
  const toast = useToast();
  useEffect(() => {
    load().then(
      (Dialog) => setDialog({ Dialog }),
      () => {},
    );
  }, []);
  const open = () => {
    setIsOpen(true);
    if (dialog || isOpen) return;
    early.current = collectKeys(() => setIsOpen(false));
    load().then(
      (Dialog) => setDialog({ Dialog }),
      () => {
        early.current?.end();
        setIsOpen(false);
        const detail = "This page cannot reach the console. Try again.";
        toast({ tone: "plain", title: "The look-up failed to load", detail });
      },
    );
  };
  useKey("lookUp", open);
  return (
    <OpenContext value={open}>
      {children}
      {dialog && <dialog.Dialog isOpen={isOpen} early={early} onClose={() => setIsOpen(false)} />}
    </OpenContext>
  );
}

export function LookUpBox({ className }: { className: string }) {
  const open = use(OpenContext);
  const areSinglesOn = useSingleKeys();
  return (
    <button
      type="button"
      onClick={open}
      aria-haspopup="dialog"
      aria-keyshortcuts={ariaKeysOf("lookUp", areSinglesOn)}
      className={classes(
        "flex h-8 w-100 min-w-16 shrink-[99] items-center gap-2.5 rounded-control border border-control bg-field px-2.5 text-left text-body text-text-3 max-sm:h-11",
        className,
      )}
    >
      <Search />
      <span className="min-w-0 flex-1 truncate">
        <span className="max-xl:hidden">Look up an address, customer, rule or reference</span>
        <span className="max-sm:hidden xl:hidden">Look up an address or reference</span>
        <span className="sm:hidden">Look up</span>
      </span>
      <Kbd className="max-lg:hidden">{kbdOf("lookUp")}</Kbd>
    </button>
  );
}
