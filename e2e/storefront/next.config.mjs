import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** @type {import("next").NextConfig} */
export default {
  outputFileTracingRoot: folder,
  turbopack: { root: folder },
  // A development server beside the build, and beside another one.
  distDir: process.env.DIST_DIR ?? ".next",
};
