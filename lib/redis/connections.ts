import { type Connection, type CountersConnection, connectControl, connectCounters } from "./connect.ts";
import { oncePerProcess } from "./once-per-process.ts";

/** Lists, customers, policy, users, audit, reports: what must not be lost. One connection a process. */
export function controlConnection(url: string): Connection {
  return oncePerProcess(`control ${url}`, () => connectControl(url, "patiently", "sluice-control"));
}

/** Windows and estimates: what may be forgotten. */
export function countersConnection(url: string): CountersConnection {
  return oncePerProcess(`counters ${url}`, () => connectCounters(url, "patiently", "sluice-counters"));
}
