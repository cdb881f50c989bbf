"use client";

import type { Route } from "next";
import Link from "next/link";
import type { LinkProps } from "../../components/ui/link.tsx";

/** Leads from page to page without loading the document again. */
export function PageLink({ href, onClick, onMouseEnter, onTouchStart, ...rest }: LinkProps) {
  return (
    <Link
      {...rest}
      {...(onClick && { onClick })}
      {...(onMouseEnter && { onMouseEnter })}
      {...(onTouchStart && { onTouchStart })}
      // The one place where a path that was put together becomes a route.
      href={href as Route}
      // A list shows hundreds of links, and whatever is fetched counts as activity of the session.
      prefetch={false}
    />
  );
}
