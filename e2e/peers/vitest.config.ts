import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  resolve: { alias: { "@/": root } },
  test: {
    root,
    include: ["e2e/peers/**/*.peer.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Peers are servers on ports of their own: one file at a time.
    fileParallelism: false,
  },
});
