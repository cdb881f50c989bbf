"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useState } from "react";
import { type LinkProps, LinkProvider } from "./ui/link.tsx";
import { RenderedAt } from "./ui/now.ts";
import { ThemeProvider } from "./ui/theme.tsx";
import type { Theme } from "./ui/theme-choice.ts";
import { ToastProvider } from "./ui/toast.tsx";
import { TooltipProvider } from "./ui/tooltip.tsx";
import { useStyleNonce } from "./ui/use-style-nonce.ts";

export interface ProvidersProps {
  nonce: string | undefined;
  theme: Theme;
  /** Now, by the server's clock. */
  renderedAt: number;
  link: ComponentType<LinkProps>;
  children: ReactNode;
}

/** What every page stands in. */
export function Providers({ nonce, theme, renderedAt, link, children }: ProvidersProps) {
  useStyleNonce(nonce);
  const [client] = useState(makeClient);
  const [firstRenderedAt] = useState(renderedAt);
  return (
    <ThemeProvider chosen={theme}>
      <LinkProvider link={link}>
        <QueryClientProvider client={client}>
          <RenderedAt value={firstRenderedAt}>
            <TooltipProvider>
              <ToastProvider>{children}</ToastProvider>
            </TooltipProvider>
          </RenderedAt>
        </QueryClientProvider>
      </LinkProvider>
    </ThemeProvider>
  );
}

/** Reads are polled, so a failed one is soon asked again anyway, and what was read last stays on screen meanwhile. */
function makeClient(): QueryClient {
  return new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: 1_000, networkMode: "always" } },
  });
}
