"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { type ComponentProps, type ReactNode, type RefObject, useRef } from "react";
import { classes } from "./classes.ts";
import { useScrollStop } from "./scroll-body.tsx";

interface TableFrameProps {
  /** Accessible name. */
  label: string;
  /** `thead` and `tbody`. */
  children: ReactNode;
  /** Number of all rows, if only some are drawn. */
  rowCount?: number | undefined;
  /** Ref of the scrolled element, for VirtualRows. */
  scrollRef?: RefObject<HTMLDivElement | null> | undefined;
  isBusy?: boolean | undefined;
  /** Inside a card, which has its own frame. */
  isInset?: boolean | undefined;
  /** With a height, the head stays while rows scroll. */
  className?: string | undefined;
}

export function TableFrame(props: TableFrameProps) {
  const { label, children, rowCount, scrollRef, isBusy, isInset = false, className } = props;
  const own = useRef<HTMLDivElement>(null);
  const frame = scrollRef ?? own;
  const isStop = useScrollStop(frame) || scrollRef !== undefined;
  return (
    <div
      ref={frame}
      {...(isStop && { role: "region", "aria-label": label, tabIndex: 0 })}
      className={classes(
        "relative min-w-0 overflow-auto bg-surface [overflow-anchor:none]",
        isInset ? "rounded-b-card" : "rounded-card border border-border",
        className,
      )}
    >
      <table
        aria-label={label}
        aria-rowcount={rowCount === undefined ? undefined : rowCount + 1}
        aria-busy={isBusy || undefined}
        className="w-full border-separate border-spacing-0 text-cell"
      >
        {children}
      </table>
    </div>
  );
}

interface ThProps extends Omit<ComponentProps<"th">, "onClick"> {
  /** Sort direction of this column. Undefined if another column sorts. */
  sort?: "ascending" | "descending" | undefined;
  /** Makes the head a sort button. */
  onSort?: (() => void) | undefined;
  isNumber?: boolean | undefined;
  isLabelHidden?: boolean | undefined;
}

export function Th({
  sort,
  onSort,
  isNumber = false,
  isLabelHidden = false,
  className,
  children,
  ...rest
}: ThProps) {
  const arrow = sort === "ascending" ? <ArrowUp className="size-3" /> : <ArrowDown className="size-3" />;
  return (
    <th
      scope="col"
      aria-sort={sort ?? (onSort ? "none" : undefined)}
      {...rest}
      className={classes(
        "sticky top-0 z-10 h-8 border-b border-border bg-surface px-3 text-meta font-medium whitespace-nowrap text-text-2",
        isNumber ? "text-right" : "text-left",
        className,
      )}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={classes(
            "inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-text max-sm:min-h-11",
            sort && "text-text",
          )}
        >
          {children}
          {sort && arrow}
        </button>
      ) : (
        <span className={isLabelHidden ? "sr-only" : undefined}>{children}</span>
      )}
    </th>
  );
}

export interface TrProps extends ComponentProps<"tr"> {
  isSelected?: boolean | undefined;
  /** True while the row is about to leave. */
  isDimmed?: boolean | undefined;
}

export function Tr({ isSelected = false, isDimmed = false, className, ...rest }: TrProps) {
  return (
    <tr
      aria-selected={isSelected || undefined}
      {...rest}
      className={classes(
        "transition-colors last:*:border-b-0",
        isSelected ? "bg-raised" : "hover:bg-hover",
        isDimmed && "*:text-text-3 [&_bdi]:text-text-3",
        className,
      )}
    />
  );
}

export interface TdProps extends ComponentProps<"td"> {
  isNumber?: boolean | undefined;
  isMono?: boolean | undefined;
}

export function Td({ isNumber = false, isMono = false, className, ...rest }: TdProps) {
  return (
    <td
      {...rest}
      className={classes(
        "h-8 border-b border-border px-3 has-[>bdi]:min-w-40",
        isNumber && "text-right",
        isMono && "font-mono",
        className,
      )}
    />
  );
}
