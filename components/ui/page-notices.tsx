"use client";

import { createContext, type ReactNode, use } from "react";

const NoticesContext = createContext<ReactNode>(null);

/** Notices that every page shows below its title. */
export function PageNoticesProvider({ notices, children }: { notices: ReactNode; children: ReactNode }) {
  return <NoticesContext value={notices}>{children}</NoticesContext>;
}

export function PageNotices() {
  const notices = use(NoticesContext);
  return notices && <div className="flex flex-col gap-3 pt-1 empty:hidden">{notices}</div>;
}
