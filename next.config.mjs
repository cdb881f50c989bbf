import { fileURLToPath } from "node:url";

const projectFolder = fileURLToPath(new URL(".", import.meta.url));

/**
 * Headers of every answer. proxy.ts sets the content policy, which needs a nonce, and Strict-Transport-Security, which depends on the
 * environment: Next reads this file when it builds.
 */
const securityHeaders = [
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

/** @type {import("next").NextConfig} */
const config = {
  output: "standalone",
  outputFileTracingRoot: projectFolder,
  turbopack: { root: projectFolder },
  poweredByHeader: false,
  reactStrictMode: true,
  // On the left it covers the signed-in user.
  devIndicators: { position: "bottom-right" },
  experimental: {
    // What server actions need; lib/manage/users/body-limit.ts refuses longer bodies, and any of anyone who has not signed in.
    proxyClientMaxBodySize: "1100kb",
    serverActions: { bodySizeLimit: "1mb" },
  },
  headers: async () => [
    { source: "/:path*", headers: securityHeaders },
    // The address of a one-time link is its key.
    { source: "/welcome/:path*", headers: [{ key: "Referrer-Policy", value: "no-referrer" }] },
  ],
};

export default config;
