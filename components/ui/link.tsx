"use client";

import { type ComponentProps, type ComponentType, createContext, type ReactNode, use } from "react";
import { classes } from "./classes.ts";

export interface LinkProps extends ComponentProps<"a"> {
  href: string;
}

const LinkContext = createContext<ComponentType<LinkProps>>((props) => <a {...props} />);

/** The app says which component leads from page to page; this room does not know Next. */
export function LinkProvider({ link, children }: { link: ComponentType<LinkProps>; children: ReactNode }) {
  return <LinkContext value={link}>{children}</LinkContext>;
}

export function Link(props: LinkProps) {
  const Leads = use(LinkContext);
  return <Leads {...props} />;
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
