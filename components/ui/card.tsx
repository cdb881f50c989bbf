import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

interface CardProps {
  title?: ReactNode;
  hint?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** No padding, for content that reaches the edges, such as a table. */
  isFlush?: boolean | undefined;
  className?: string | undefined;
}

export function Card({ title, hint, actions, children, isFlush = false, className }: CardProps) {
  const id = useId();
  const hasHead = Boolean(title || hint || actions);
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={classes("min-w-0 rounded-card border border-border bg-surface", className)}
    >
      {hasHead && (
        <header className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 px-3.5 py-1.5">
          <div className="flex min-w-0 flex-1 basis-24 flex-wrap items-center gap-x-2">
            {title && (
              <h2 id={id} className="text-body font-semibold">
                {title}
              </h2>
            )}
            {hint && <div className="text-cell text-text-3">{hint}</div>}
          </div>
          {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={isFlush ? "" : classes("p-3.5", hasHead && "pt-1.5")}>{children}</div>
    </section>
  );
}
