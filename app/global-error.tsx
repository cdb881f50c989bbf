"use client";

import "./globals.css";

/** Nothing of the console could be drawn: this page stands without it, in the theme of the browser. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Sluice is in trouble</title>
        <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 p-5">
          <h1 className="text-title font-semibold">The console cannot be shown</h1>
          <p className="text-text-2">
            Enforcement goes on without it: nodes ask Redis, not the console. Its log says why.
          </p>
          <button
            type="button"
            onClick={retry}
            className="h-8 rounded-control border border-inv bg-inv px-3 text-cell font-semibold text-inv-text max-sm:h-11"
          >
            Try again
          </button>
        </main>
      </body>
    </html>
  );
}
