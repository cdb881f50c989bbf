"use client";

import { Ellipsis } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactElement, ReactNode } from "react";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import { Link } from "./link.tsx";

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect?: (() => void) | undefined;
  href?: string | undefined;
  isDanger?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** Detail, or why the item is disabled. */
  hint?: ReactNode;
}

interface MenuProps {
  label: string;
  /** Button that opens the menu. Default: three dots. */
  trigger?: ReactElement | undefined;
  items: readonly MenuItem[];
  align?: "start" | "center" | "end" | undefined;
}

/** Not modal, so that the page behind it scrolls and stays readable for screen readers. */
export function Menu({ label, trigger, items, align = "end" }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        {trigger ?? <IconButton label={label} icon={<Ellipsis />} size="sm" />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          className="z-60 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-rise overflow-y-auto rounded-card border border-border-2 bg-overlay p-1 shadow-e1"
        >
          {items.map((item) => (
            <Item key={item.label} {...item} />
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ label, icon, onSelect, href, isDanger = false, isDisabled = false, hint }: MenuItem) {
  const look = classes(
    "flex min-h-7 items-center gap-2 rounded-control px-2 py-1 text-cell outline-none data-disabled:text-text-3 data-highlighted:bg-raised max-sm:min-h-11",
    isDanger && "text-blocked data-highlighted:bg-blocked-bg",
  );
  const content = (
    <>
      {icon}
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-meta text-text-3">{hint}</span>}
      </span>
    </>
  );
  return (
    <DropdownMenu.Item
      disabled={isDisabled}
      asChild={href !== undefined}
      className={look}
      {...(onSelect && { onSelect })}
    >
      {href === undefined ? content : <Link href={href}>{content}</Link>}
    </DropdownMenu.Item>
  );
}
