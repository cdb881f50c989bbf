import type { Fingerprint, Over } from "../../enforce/edge/sightings.ts";
import { keyOf } from "../../enforce/policy/fingerprint.ts";
import { defaultPolicy } from "../../enforce/policy/stored.ts";
import { formatIp } from "../../ip/block.ts";
import { blockOf, type Ip, parseIp } from "../../ip/parse.ts";
import type { Changes, Dictionary, TakeCall } from "./dictionary.ts";

export const edgePolicy = defaultPolicy.edge;

export function ip(text: string): Ip {
  const parsed = parseIp(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return formatIp(blockOf(parsed.value));
}

export function standard(address: string, path = "/foo"): Fingerprint {
  const key = keyOf(`shop.example:${path}:GET:${address}:curl/8`);
  return {
    key,
    kind: "standard",
    ip: ip(address),
    userAgent: "curl/8",
    host: "shop.example",
    path,
    method: "GET",
  };
}

export function broad(address: string): Fingerprint {
  return { key: keyOf(`${address}:sqlmap/1.7`), kind: "broad", ip: ip(address), userAgent: "sqlmap/1.7" };
}

export const over = (fingerprint: Fingerprint, count: number, minute: number): Over => ({
  fingerprint,
  count,
  minute,
});

/** A dictionary in memory that counts its calls. */
export class FakeDictionary implements Dictionary {
  readonly kind = "haproxy";
  readonly name: string;
  readonly keys = new Set<string>();
  capacity = 1_000;
  changesACall = 1_000;
  readEveryMs = 60_000;
  longestCallMs = 100;
  restMs = 0;
  calls = 0;
  isDown = false;
  /** Resolves before a change is made. */
  beforeChange: () => Promise<void> = async () => {};

  constructor(name = "fake") {
    this.name = name;
  }

  async read(takeCall: TakeCall): Promise<Set<string>> {
    await takeCall();
    if (this.isDown) throw new Error("down");
    return new Set(this.keys);
  }

  async change({ add, remove }: Changes, takeCall: TakeCall): Promise<void> {
    await takeCall();
    await this.beforeChange();
    if (this.isDown) throw new Error("down");
    this.calls++;
    for (const key of remove) this.keys.delete(key);
    for (const key of add) this.keys.add(key);
  }

  close(): void {}
}
