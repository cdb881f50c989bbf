"use client";

import NextLink from "next/link";
import { type ComponentProps, useState } from "react";
import { classes } from "./classes.ts";

export interface LinkProps extends ComponentProps<"a"> {
  href: string;
}

/** Opens another page without loading the document again. The page is fetched once the pointer or the focus is on the link. */
export function Link({ href, onClick, onMouseEnter, onTouchStart, onFocus, ...rest }: LinkProps) {
  const [isNear, setIsNear] = useState(false);
  return (
    <NextLink
      {...rest}
      {...(onClick && { onClick })}
      onMouseEnter={(event) => {
        setIsNear(true);
        onMouseEnter?.(event);
      }}
      onTouchStart={(event) => {
        setIsNear(true);
        onTouchStart?.(event);
      }}
      onFocus={(event) => {
        setIsNear(true);
        onFocus?.(event);
      }}
      href={href}
      prefetch={isNear}
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
