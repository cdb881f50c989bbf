/**
 * Read in place of `sluice/next` where code is compiled for the Edge runtime. Next compiles instrumentation for it, too, and
 * there is nothing to do there.
 */
export async function register(): Promise<void> {}

export async function settle(): Promise<void> {}

export const limit = createProxy;

export function createProxy(): never {
  throw new Error(
    "sluice needs the Node runtime. In Next 16, rename middleware.ts to proxy.ts. " +
      'In Next 15.5, middleware.ts must have: export const config = { runtime: "nodejs" }',
  );
}
