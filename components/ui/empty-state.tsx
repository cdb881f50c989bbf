import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: ReactNode;
  /** One plain sentence. */
  title: ReactNode;
  hint: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, hint, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-5 py-10 text-center">
      <span className="mb-2 grid size-9 place-items-center rounded-card border border-border-2 text-text-3">
        {icon}
      </span>
      <p className="text-body font-semibold">{title}</p>
      <p className="max-w-prose text-cell text-text-2">{hint}</p>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
