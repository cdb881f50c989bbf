"use client";

import { ChevronRight } from "lucide-react";
import { createContext, type ReactNode, use } from "react";
import { headingRef } from "./heading-focus.ts";
import { TextLink } from "./link.tsx";

interface PageHeaderProps {
  title: ReactNode;
  /** Shown beside the title: counts, badges, the version in force. */
  facts?: ReactNode;
  actions?: ReactNode;
  /** Parent page. */
  back?: { href: string; label: string } | undefined;
}

export function PageHeader({ title, facts, actions, back }: PageHeaderProps) {
  return (
    <header className="flex flex-col gap-1.5">
      {back && (
        <nav aria-label="Breadcrumb" className="flex items-center gap-1.5 text-cell text-text-3">
          <TextLink
            href={back.href}
            className="inline-flex min-h-6 items-center no-underline hover:underline max-sm:min-h-11"
          >
            {back.label}
          </TextLink>
          <ChevronRight className="size-3" />
          <span aria-current="page" className="min-w-0 truncate text-text-2">
            {title}
          </span>
        </nav>
      )}
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1
          ref={headingRef}
          tabIndex={-1}
          className="min-w-0 text-title font-semibold wrap-anywhere outline-none focus-visible:shadow-none"
        >
          {title}
        </h1>
        {facts && (
          <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-cell text-text-3">
            {facts}
          </div>
        )}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2 max-sm:gap-1.5">{actions}</div>}
      </div>
      <PageNotices />
    </header>
  );
}

const NoticesContext = createContext<ReactNode>(null);

/** Notices that every page shows below its title. */
export function PageNoticesProvider({ notices, children }: { notices: ReactNode; children: ReactNode }) {
  return <NoticesContext value={notices}>{children}</NoticesContext>;
}

function PageNotices() {
  const notices = use(NoticesContext);
  return notices && <div className="flex flex-col gap-3 pt-1 empty:hidden">{notices}</div>;
}
