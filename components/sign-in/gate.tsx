import type { ReactNode } from "react";
import { Mark } from "@/components/shell/wordmark.tsx";
import { Streams } from "./streams.tsx";

interface GateProps {
  title: ReactNode;
  hint: ReactNode;
  /** Host name of the console, so that users see where they type a password. */
  host: string | undefined;
  children: ReactNode;
  footer?: ReactNode;
}

/** The one card in front of the console. */
export function Gate({ title, hint, host, children, footer }: GateProps) {
  return (
    <main className="isolate grid min-h-dvh place-items-center overflow-hidden p-4">
      <div className="relative flex w-full max-w-[372px] flex-col gap-5 rounded-[14px] border border-border-2 bg-surface p-7 shadow-e1 max-sm:p-5">
        <Streams />
        <header className="flex items-center gap-2.5">
          <Mark className="size-6" />
          <span className="text-[15px] font-semibold">Sluice</span>
          {host && (
            <span className="ml-auto min-w-0 truncate rounded-badge border border-border-2 px-2 py-0.5 text-meta text-text-2">
              {host}
            </span>
          )}
        </header>
        <div className="flex flex-col gap-1">
          <h1 className="text-[20px] leading-7 font-semibold">{title}</h1>
          <p className="text-body text-text-2">{hint}</p>
        </div>
        {children}
        {footer && <footer className="border-t border-border pt-4 text-cell text-text-3">{footer}</footer>}
      </div>
    </main>
  );
}
