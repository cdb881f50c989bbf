"use client";

import { Ellipsis } from "lucide-react";
import { classes } from "@/components/ui/classes.ts";
import { Link } from "@/components/ui/link.tsx";
import { isWithin, tabs } from "./pages.tsx";

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
