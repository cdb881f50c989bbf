import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["e2e/peers/**/*.peer.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Peers are servers on ports of their own: one file at a time.
    fileParallelism: false,
  },
});
