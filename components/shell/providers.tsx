"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
// In the chunk that all pages share: otherwise the chunks of one page each hold a copy.
import "next/link";
import { type ReactNode, useState } from "react";
import type { Theme } from "@/components/ui/look-choices.ts";
import { RenderedAt } from "@/components/ui/now.ts";
import { ThemeProvider } from "@/components/ui/theme.tsx";
import { ToastProvider } from "@/components/ui/toast.tsx";
import { TooltipProvider } from "@/components/ui/tooltip.tsx";
import { freshMs } from "@/lib/queries/query.ts";

interface ProvidersProps {
  nonce: string | undefined;
  theme: Theme;
  /** Current time by the server's clock, in ms. */
  renderedAt: number;
  children: ReactNode;
}

/** Contexts of every page. */
export function Providers({ nonce, theme, renderedAt, children }: ProvidersProps) {
  useStyleNonce(nonce);
  const [client] = useState(makeClient);
  const [firstRenderedAt] = useState(renderedAt);
  return (
    <ThemeProvider chosen={theme}>
      <QueryClientProvider client={client}>
        <RenderedAt value={firstRenderedAt}>
          <TooltipProvider>
            <ToastProvider>{children}</ToastProvider>
          </TooltipProvider>
        </RenderedAt>
      </QueryClientProvider>
    </ThemeProvider>
  );
}

/** Reads are polled, so a failed read is repeated soon. The last data stays on screen until then. */
function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: freshMs, networkMode: "always" } },
  });
}

/**
 * Dialogs lock scrolling with a style element, which needs the nonce of the content policy. The policy is that of the
 * document, so the first nonce stays valid, even if a refresh brings another.
 */
function useStyleNonce(nonce: string | undefined): void {
  useState(() => {
    if (nonce && typeof window !== "undefined") setNonce(nonce);
  });
}
