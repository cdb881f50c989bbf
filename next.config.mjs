import { fileURLToPath } from "node:url";

const projectFolder = fileURLToPath(new URL(".", import.meta.url));

/** What every answer of the console says of itself. The content policy needs a nonce, so proxy.ts sets that one. */
const securityHeaders = [
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} */
const config = {
  output: "standalone",
  outputFileTracingRoot: projectFolder,
  turbopack: { root: projectFolder },
  poweredByHeader: false,
  reactStrictMode: true,
  headers: async () => [
    { source: "/:path*", headers: securityHeaders },
    // The address of a one-time link is its key.
    { source: "/welcome/:path*", headers: [{ key: "Referrer-Policy", value: "no-referrer" }] },
  ],
};

export default config;
