"use client";

import {
  ArrowRight,
  ArrowUpRight,
  Clock,
  History,
  LockOpen,
  MapPin,
  Plus,
  Search,
  SlidersHorizontal,
  Users,
} from "lucide-react";
import { Dialog as Radix, VisuallyHidden } from "radix-ui";
import { type ReactNode, type RefObject, useId, useState } from "react";
import { AddressNetwork } from "@/components/console/address-network.tsx";
import { useStanding } from "@/components/console/status.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Modal } from "@/components/ui/dialog.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Spinner } from "@/components/ui/spinner.tsx";
import { type Tone, toneText } from "@/components/ui/tone.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { may } from "@/lib/manage/users/roles.ts";
import type { EarlyKeys } from "./early-keys.ts";
import type { LookUpOption } from "./look-up-options.ts";
import { type Destination, useLeading } from "./use-leading.tsx";
import { useLookUp } from "./use-look-up.ts";

interface LookUpDialogProps {
  isOpen: boolean;
  /** Keys from before this code had come. */
  early: RefObject<EarlyKeys | undefined>;
  onClose: () => void;
}

/** Finds an address, a range, a customer, a rule, a page or a denial by its reference, and runs commands. Needs only the keyboard. */
export function LookUpDialog({ isOpen, early, onClose }: LookUpDialogProps) {
  const { follow, dialog, onClosed } = useLeading();
  return (
    <>
      <Modal
        isOpen={isOpen}
        onClose={onClose}
        onCloseAutoFocus={onClosed}
        aria-describedby={undefined}
        className="fixed top-3 left-1/2 z-50 flex max-h-[calc(100dvh-24px)] w-[calc(100vw-24px)] max-w-168 -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-bar bg-surface shadow-e2 sm:top-16 sm:max-h-[calc(100dvh-96px)]"
      >
        <VisuallyHidden.Root>
          <Radix.Title>Look up</Radix.Title>
        </VisuallyHidden.Root>
        <Palette
          early={early}
          onChoose={(chosen) => {
            follow(chosen);
            onClose();
          }}
        />
      </Modal>
      {dialog}
    </>
  );
}

interface PaletteProps extends Pick<LookUpDialogProps, "early"> {
  onChoose: (chosen: Destination) => void;
}

function Palette({ early, onChoose }: PaletteProps) {
  const { known } = useStanding();
  const role = known?.you.role;
  const mayCreate = role !== undefined && may(role, "customers");
  const mayList = role !== undefined && may(role, "lists");
  const listId = useId();
  const [text, setText] = useState("");
  const choose = ({ leadsTo }: LookUpOption, isNewTab: boolean) => {
    if ("text" in leadsTo) return setText(leadsTo.text);
    if (isNewTab && "href" in leadsTo) return openTab(leadsTo.href);
    if ("url" in leadsTo) return openTab(leadsTo.url);
    onChoose(leadsTo);
  };
  const { options, active, setActive, says, isAsking, onKeyDown, enter } = useLookUp({
    ...{ text, mayCreate, mayList, choose },
  });
  const current = options[active];
  const takeEarly = () => {
    const taken = early.current?.end();
    if (!taken || taken.text === "") return;
    setText((typed) => taken.text + typed);
    if (taken.isEntered) enter();
  };
  return (
    <>
      <div className="flex items-center gap-2 border-b border-border px-3.5 text-text-3">
        {isAsking ? <Spinner /> : <Search />}
        <input
          type="text"
          role="combobox"
          aria-label="Look up an address, a range, a customer, a rule, a reference or a page"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={current && `${listId} ${current.id}`.replaceAll(" ", "-")}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={4_096}
          placeholder="An address, a range, a customer, a rule, a reference or a page"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={takeEarly}
          className="h-11 min-w-0 flex-1 bg-transparent text-body text-text outline-none focus-visible:shadow-none"
        />
      </div>
      <LookUpList {...{ listId, options, active, setActive, choose }} />
      <NetworkLine text={text} />
      <p role="status" className="px-3.5 py-2.5 text-cell text-text-2 empty:hidden">
        {says}
      </p>
      <p className="flex gap-4 border-t border-border px-3.5 py-2.5 text-meta text-text-3 max-sm:hidden">
        <Hint keys={["↑", "↓"]}>move</Hint>
        <Hint keys={["↵"]}>run</Hint>
        <Hint keys={["⌘↵"]}>new tab</Hint>
      </p>
    </>
  );
}

/** The console parses it: the parser would be in the code of each page. */
const resemblesAddress = /^[\da-f]{0,4}[.:][\da-f.:]{1,40}(\/\d{1,3})?$/i;
/** The other page learns nothing of this one. */
function openTab(url: string): void {
  window.open(url, "_blank", "noopener,noreferrer");
}

function Hint({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      {keys.map((key) => (
        <Kbd key={key}>{key}</Kbd>
      ))}
      {children}
    </span>
  );
}

/** Network of the address or range that is typed. */
function NetworkLine({ text }: { text: string }) {
  const typed = text.trim();
  return resemblesAddress.test(typed) && <AddressNetwork address={typed} isLong className="px-3.5 pb-2.5" />;
}

interface LookUpListProps {
  listId: string;
  options: readonly LookUpOption[];
  active: number;
  setActive: (index: number) => void;
  choose: (option: LookUpOption, isNewTab: boolean) => void;
}

const icons: Readonly<Record<Exclude<LookUpOption["icon"], Tone>, ReactNode>> = {
  client: <MapPin />,
  customer: <Users />,
  expiry: <Clock />,
  history: <History />,
  link: <ArrowUpRight />,
  new: <Plus />,
  page: <ArrowRight />,
  rule: <SlidersHorizontal />,
  search: <Search />,
  unblock: <LockOpen />,
};

/** The focus stays in the text field above; keys move the selection. */
function LookUpList({ listId, options, active, setActive, choose }: LookUpListProps) {
  const groups = [...new Set(options.map(({ group }) => group))];
  return (
    <div
      id={listId}
      role="listbox"
      aria-label="Results"
      className="flex min-h-0 flex-col overflow-y-auto p-1.5 empty:hidden"
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by this role.
        <div key={group} role="group" aria-label={group}>
          <p aria-hidden="true" className="px-2 pt-2 pb-1 text-meta text-text-3">
            {group}
          </p>
          {options.map(
            (option, index) =>
              option.group === group && (
                <Option
                  key={option.id}
                  id={`${listId} ${option.id}`.replaceAll(" ", "-")}
                  option={option}
                  isActive={index === active}
                  onActive={() => index !== active && setActive(index)}
                  onChoose={(isNewTab) => choose(option, isNewTab)}
                />
              ),
          )}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  option: LookUpOption;
  isActive: boolean;
  onActive: () => void;
  onChoose: (isNewTab: boolean) => void;
}

function Option({ id, option, isActive, onActive, onChoose }: OptionProps) {
  const { icon, label, isMono, badge, detail, note } = option;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles keys and names the active option.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      ref={isActive ? bringIntoView : undefined}
      onPointerMove={onActive}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
      className={classes(
        "flex min-h-9 items-center gap-2.5 rounded-control px-2 py-1.5 max-sm:min-h-11",
        isActive && "bg-raised",
      )}
    >
      <OptionIcon icon={icon} />
      <span className="min-w-0 flex-1">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <Untrusted
            text={label}
            max={80}
            className={isMono ? "font-mono text-body font-medium" : "text-body"}
          />
          {badge && (
            <Badge tone={badge.tone} icon={badge.tone === "plain" ? undefined : toneIcon(badge.tone)}>
              <Untrusted text={badge.says} max={80} className="truncate" />
            </Badge>
          )}
        </span>
        {detail && (
          <span className="block truncate text-cell text-text-2">
            <Untrusted text={detail} max={160} />
          </span>
        )}
      </span>
      {note && <span className="shrink-0 text-meta text-text-2">{note}</span>}
    </div>
  );
}

function OptionIcon({ icon }: { icon: LookUpOption["icon"] }) {
  if (isTone(icon)) return <span className={classes("flex", toneText[icon])}>{toneIcon(icon)}</span>;
  return <span className="flex text-text-3">{icons[icon]}</span>;
}

function isTone(icon: LookUpOption["icon"]): icon is Tone {
  return icon in toneText;
}

function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
