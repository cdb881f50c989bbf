"use client";

import { Fragment } from "react";
import { chordText, isSingle, type Shortcut, shortcuts } from "@/components/console/shortcuts.ts";
import { SingleKeysSwitch } from "@/components/console/single-keys-switch.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Dialog } from "@/components/ui/dialog.tsx";
import { useIsApple } from "@/components/ui/kbd.tsx";
import { useSingleKeys } from "@/components/ui/single-keys.ts";

const all: readonly Shortcut[] = Object.values(shortcuts);
const places = [...new Set(all.map(({ where }) => where))];

/** All shortcuts, grouped by where they work, and the switch for single keys. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <div className="flex flex-col gap-4">
        {places.map((place) => (
          <section key={place}>
            <h3 className="pb-1 text-meta font-medium text-text-3">{place}</h3>
            <ul>
              {all
                .filter(({ where }) => where === place)
                .map((shortcut) => (
                  <ShortcutRow key={shortcut.does} shortcut={shortcut} />
                ))}
            </ul>
          </section>
        ))}
        <div className="border-t border-border pt-3">
          <SingleKeysSwitch />
        </div>
      </div>
    </Dialog>
  );
}

function ShortcutRow({ shortcut: { chords, does } }: { shortcut: Shortcut }) {
  const areSinglesOn = useSingleKeys();
  return (
    <li className="flex min-h-8 items-center justify-between gap-3 border-t border-border py-1">
      <span className="text-body">{does}</span>
      <span className="flex shrink-0 items-center gap-1.5 text-meta text-text-3">
        {chords.map((chord, i) => {
          const isOff = isSingle(chord) && !areSinglesOn;
          return (
            <Fragment key={chord.key}>
              {i > 0 && "or"}
              <span className={classes("inline-flex items-center gap-1", isOff && "line-through")}>
                <KeyCaps text={chordText(chord)} />
                {isOff && <span className="sr-only">(off)</span>}
              </span>
            </Fragment>
          );
        })}
      </span>
    </li>
  );
}

interface KeyCapsProps {
  /** Such as `⌘K`. ⌘ is shown as Ctrl on keyboards without it. */
  text: string;
}

const look =
  "inline-flex h-6 min-w-6 items-center justify-center rounded-[4px] border border-border-2 bg-raised px-1.5 font-sans text-meta text-text";

/** Keys in a list of shortcuts, readable for screen readers. Buttons use `Kbd`. */
function KeyCaps({ text }: KeyCapsProps) {
  const isApple = useIsApple();
  const hasCtrl = text.startsWith("⌘");
  return (
    <>
      {hasCtrl && <kbd className={look}>{isApple ? "⌘" : "Ctrl"}</kbd>}
      <kbd className={look}>{hasCtrl ? text.slice(1) : text}</kbd>
    </>
  );
}
