"use client";

import { classes } from "../ui/classes.ts";
import { countText } from "../ui/count-text.ts";
import { Link } from "../ui/link.tsx";
import { clockText } from "./clock-text.ts";
import { isWithin, type Page, pageGroups } from "./pages.tsx";
import { useStanding } from "./status.tsx";

/** The pages in their groups, with how much stands on the lists. */
export function Navigation({ path, onLeave }: { path: string; onLeave?: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      {pageGroups.map(({ name, pages }) => (
        <div key={name}>
          <h2 className="px-2 pb-1.5 text-cell font-medium text-text-3">{name}</h2>
          <ul className="flex flex-col gap-0.5">
            {pages.map((page) => (
              <li key={page.href}>
                <NavigationLink page={page} isHere={isWithin(path, page)} onLeave={onLeave} />
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
}

function NavigationLink({ page: { href, name, icon, counts }, isHere, onLeave }: NavigationLinkProps) {
  return (
    <Link
      href={href}
      aria-current={isHere ? "page" : undefined}
      {...(onLeave && { onClick: onLeave })}
      className={classes(
        "flex h-7.5 items-center gap-2.5 rounded-control px-2 text-body transition-colors max-sm:h-11",
        isHere ? "bg-track font-medium text-text" : "text-text-2 hover:bg-hover hover:text-text",
      )}
    >
      {icon}
      {name}
      {counts && <EntryCount of={counts} />}
    </Link>
  );
}

function EntryCount({ of }: { of: NonNullable<Page["counts"]> }) {
  const { known, trouble } = useStanding();
  const count = known?.counts?.[of];
  if (count === undefined) return null;
  return (
    <span
      title={trouble && known ? `as of ${clockText(known.at)}` : undefined}
      className="ml-auto text-cell text-text-2"
    >
      {countText(count)}
      <span className="sr-only"> entries</span>
    </span>
  );
}
