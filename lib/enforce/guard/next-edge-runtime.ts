/**
 * Read in place of `sluice/next` where code is compiled for the Edge runtime. Next compiles instrumentation for it, too, and
 * there is nothing to do there.
 */
export async function register(): Promise<void> {}

export function createProxy(): never {
  throw new Error("sluice needs the Node runtime.");
}
