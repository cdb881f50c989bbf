"use client";

import "./globals.css";

/** Shown if the console failed to render. Uses none of its components, and the theme of the browser. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Console error · Sluice</title>
        <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 p-5">
          <h1 className="text-title font-semibold">The console failed to load</h1>
          <p className="text-text-2">
            Enforcement continues, because nodes read from Redis, not from the console. For the cause, see the
            console's log.
          </p>
          <button
            type="button"
            onClick={retry}
            className="h-8 rounded-control border border-inv bg-inv px-3 text-cell font-semibold text-inv-text max-sm:h-11"
          >
            Retry
          </button>
        </main>
      </body>
    </html>
  );
}
