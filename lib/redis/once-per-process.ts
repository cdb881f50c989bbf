const home = Symbol.for("sluice.home");

/**
 * One place for what a process must hold once. Next loads proxy, routes and instrumentation as separate module
 * graphs, and reloads them in development: module scope would open connections again each time.
 */
export function oncePerProcess<T>(name: string, make: () => T): T {
  const things = rooms();
  if (!things.has(name)) things.set(name, make());
  // The one cast: a name is only used for one kind of thing.
  return things.get(name) as T;
}

export function forgetOnce(name: string): void {
  rooms().delete(name);
}

function rooms(): Map<string, unknown> {
  const holder = globalThis as { [home]?: Map<string, unknown> };
  holder[home] ??= new Map();
  return holder[home];
}
