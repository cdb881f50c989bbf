"use client";

import { Ellipsis } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";
import { Tooltip } from "@/components/ui/tooltip.tsx";
import { clockText, countText } from "@/components/ui/value-text.ts";
import { isWithin, type Page, pageGroups, tabs } from "./pages.tsx";

interface NavigationProps {
  path: string;
  onLeave?: () => void;
  /** In the sidebar, which shows icons with tooltips while it is a rail. */
  isRail?: boolean;
}

/** Pages in their groups, with the number of entries of both lists. */
export function Navigation({ path, onLeave, isRail = false }: NavigationProps) {
  return (
    <div className={classes("flex flex-col gap-4", isRail && "rail:gap-2")}>
      {pageGroups.map(({ name, pages }) => (
        <div
          key={name}
          className={classes(isRail && "rail:border-border rail:not-first:border-t rail:not-first:pt-2")}
        >
          <h2 className={classes("px-2 pb-1.5 text-cell font-medium text-text-3", isRail && "rail:sr-only")}>
            {name}
          </h2>
          <ul className="flex flex-col gap-0.5">
            {pages.map((page) => (
              <li key={page.href}>
                <NavigationLink page={page} isHere={isWithin(path, page)} onLeave={onLeave} isRail={isRail} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

interface NavigationLinkProps {
  page: Page;
  isHere: boolean;
  onLeave: (() => void) | undefined;
  isRail: boolean;
}

function NavigationLink({ page, isHere, onLeave, isRail }: NavigationLinkProps) {
  const { href, name, icon, counts, hasWaiting } = page;
  const link = (
    <Link
      href={href}
      aria-current={isHere ? "page" : undefined}
      {...(onLeave && { onClick: onLeave })}
      className={classes(
        "relative flex h-7.5 items-center gap-2.5 rounded-control px-2 text-body transition-colors max-sm:h-11",
        isHere ? "bg-track font-medium text-text" : "text-text-2 hover:bg-hover hover:text-text",
        isRail && "rail:h-9 rail:justify-center rail:px-0",
      )}
    >
      {icon}
      <span className={isRail ? "rail:sr-only" : undefined}>{name}</span>
      {counts && (
        <span className={classes("ml-auto", isRail && "rail:sr-only")}>
          <EntryCount of={counts} />
        </span>
      )}
      {hasWaiting && <WaitingCount isRail={isRail} />}
    </Link>
  );
  if (!isRail) return link;
  return (
    <Tooltip text={name} side="right" isName className="hidden rail:block">
      {link}
    </Tooltip>
  );
}

function EntryCount({ of }: { of: NonNullable<Page["counts"]> }) {
  const { known, trouble } = useStanding();
  const count = known?.counts?.[of];
  if (count === undefined) return null;
  return (
    <span
      title={trouble && known ? `as of ${clockText(known.at)}` : undefined}
      className="text-cell text-text-2"
    >
      {countText(count)}
      <span className="sr-only"> entries</span>
    </span>
  );
}

/** Incidents and requests that wait for a person. On a rail, a dot. */
function WaitingCount({ isRail }: { isRail: boolean }) {
  const count = useStanding().known?.waiting ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={classes(
        "ml-auto text-cell font-medium text-throttled",
        isRail && "rail:absolute rail:top-1 rail:right-1 rail:ml-0 rail:text-meta",
      )}
    >
      {countText(count)}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

const look = "flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-meta [&_.lucide]:size-5";

/** Bottom bar of a phone: the most urgent pages, and a button for the others. */
export function Tabs({ path, onMore }: { path: string; onMore: () => void }) {
  return (
    <nav
      aria-label="Main pages"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-border bg-nav pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {tabs.map((page) => (
        <Link
          key={page.href}
          href={page.href}
          aria-current={isWithin(path, page) ? "page" : undefined}
          className={classes(look, isWithin(path, page) ? "font-semibold text-text" : "text-text-2")}
        >
          {page.icon}
          {page.name}
        </Link>
      ))}
      <button type="button" onClick={onMore} className={classes(look, "text-text-2")}>
        <Ellipsis />
        More
      </button>
    </nav>
  );
}
