import NextLink from "next/link";
import type { ComponentProps } from "react";
import { classes } from "./classes.ts";

export interface LinkProps extends ComponentProps<"a"> {
  href: string;
}

/** Opens another page without loading the document again. */
export function Link({ href, onClick, onMouseEnter, onTouchStart, ...rest }: LinkProps) {
  return (
    <NextLink
      {...rest}
      {...(onClick && { onClick })}
      {...(onMouseEnter && { onMouseEnter })}
      {...(onTouchStart && { onTouchStart })}
      href={href}
      // A list shows hundreds of links, and each prefetch would count as activity of the session.
      prefetch={false}
    />
  );
}

/** A link within a sentence or a cell. */
export function TextLink({ className, ...rest }: LinkProps) {
  return (
    <Link
      {...rest}
      className={classes(
        "rounded-sm underline decoration-border-2 underline-offset-2 hover:decoration-current",
        className,
      )}
    />
  );
}
