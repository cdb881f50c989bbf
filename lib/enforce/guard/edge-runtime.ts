// sluice needs the Node runtime, because the Edge runtime has no sockets.
// In Next 16, rename middleware.ts to proxy.ts: Next runs it on Node.
// In Next 15.5, middleware.ts must have: export const config = { runtime: "nodejs" }
// @ts-expect-error
import "./sluice-needs-runtime-nodejs-in-the-config-of-middleware.js";

/**
 * Read in place of the guard where code is compiled for the Edge runtime. The import above fails, so the compiler stops
 * and shows these lines, instead of a complaint about a module of Node somewhere in the library.
 */
export function createGuard(): never {
  throw new Error("sluice needs the Node runtime.");
}
