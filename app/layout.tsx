import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "@/components/shell/providers.tsx";
import { classes } from "@/components/ui/classes.ts";
import { readSidebarChoice, readTheme, sidebarCookie, themeCookie } from "@/components/ui/look-choices.ts";
import "./globals.css";

const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-inter-latin",
  adjustFontFallback: false,
});
const interExt = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2",
  weight: "100 900",
  variable: "--font-inter-ext",
  preload: false,
});
const mono = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
  weight: "100 800",
  variable: "--font-mono-latin",
  adjustFontFallback: false,
});
const monoExt = localFont({
  src: "../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-ext-wght-normal.woff2",
  weight: "100 800",
  variable: "--font-mono-ext",
  preload: false,
  adjustFontFallback: false,
});
const fonts = classes(inter.variable, interExt.variable, mono.variable, monoExt.variable);

export const metadata: Metadata = {
  title: { default: "Sluice", template: "%s · Sluice" },
  description: "Safelists, blocklists and throttles for a fleet.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const remembered = await cookies();
  const theme = readTheme(remembered.get(themeCookie)?.value);
  const sidebar = readSidebarChoice(remembered.get(sidebarCookie)?.value);
  return (
    <html
      lang="en"
      className={fonts}
      data-sidebar={sidebar}
      {...(theme !== "system" && { "data-theme": theme })}
    >
      <head>
        {/* Next takes the metadata's links away while another page comes, and browsers then ask for /favicon.ico. */}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
      </head>
      <body>
        <Providers nonce={await requestNonce()} theme={theme} renderedAt={Date.now()}>
          {children}
        </Providers>
      </body>
    </html>
  );
}

/** Nonce of the content policy that proxy.ts set on the request. */
async function requestNonce(): Promise<string | undefined> {
  return (await headers()).get("content-security-policy")?.match(/'nonce-([^']+)'/)?.[1];
}
