import { z } from "zod";
import { type Changes, type Dictionary, EdgeError, type TakeCall } from "./dictionary.ts";

export interface FastlySettings {
  readonly service: string;
  readonly dictionary: string;
  /** Secret: never shown or logged. */
  readonly token: string;
  /** Address of the API, for tests. The default is Fastly's. */
  readonly api?: string;
  /** The default is Fastly's limit, which its support can raise. */
  readonly capacity?: number;
  readonly callsAnHour?: number;
}

const fastly = "https://api.fastly.com";
const itemsAPage = 100;
/** Fastly counts the calls of a user to all dictionaries together. */
const account = "fastly";
const shortestReadEveryMs = 300_000;
const hourMs = 3_600_000;
const timeoutMs = 10_000;
const page = z.array(z.object({ item_key: z.string(), item_value: z.string() }));
/** Marks a key whose value is not "true". No wanted key has the mark, so such a key is removed or corrected. */
const wrongValue = "\0";

/** A dictionary at Fastly, written with its batch API. Items are keys of fingerprints with the value "true". */
export function fastlyDictionary(settings: FastlySettings): Dictionary {
  const { service, dictionary, api = fastly, capacity = 1_000, callsAnHour = 1_000 } = settings;
  const items = `${api}/service/${encodeURIComponent(service)}/dictionary/${encodeURIComponent(dictionary)}/items`;

  const callsARead = Math.floor(capacity / itemsAPage) + 1;
  /** Reads take at most a quarter of the hour's calls. */
  const readEveryMs = Math.max(shortestReadEveryMs, (4 * callsARead * hourMs) / callsAnHour);

  async function call(path: string, init: RequestInit, takeCall: TakeCall): Promise<Response> {
    await takeCall();
    const headers = { "fastly-key": settings.token, accept: "application/json", ...init.headers };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(path, { ...init, headers, signal, redirect: "error" }).catch(() => {
      throw new EdgeError("Fastly does not answer. Retrying.");
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw refusal(response);
  }

  return {
    ...{ kind: "fastly", name: `fastly ${service}/${dictionary}`, capacity, callsAnHour, account },
    ...{ callsARead, readEveryMs, longestCallMs: timeoutMs, changesACall: 1_000 },
    async read(takeCall) {
      const found = new Set<string>();
      for (let number = 1; ; number++) {
        const path = `${items}?page=${number}&per_page=${itemsAPage}&sort=created`;
        const keys = await readPage(await call(path, {}, takeCall));
        for (const key of keys) found.add(key);
        if (keys.length < itemsAPage) return found;
      }
    },
    async change({ add, remove }: Changes, takeCall) {
      const put = new Set(add);
      const removed = remove.map((key) => key.replace(wrongValue, "")).filter((key) => !put.has(key));
      const batch = [
        ...removed.map((key) => ({ op: "delete", item_key: key })),
        ...add.map((key) => ({ op: "upsert", item_key: key, item_value: "true" })),
      ];
      const body = JSON.stringify({ items: batch });
      const headers = { "content-type": "application/json" };
      const response = await call(items, { method: "PATCH", headers, body }, takeCall);
      await response.body?.cancel();
    },
    close() {},
  };
}

async function readPage(response: Response): Promise<string[]> {
  const parsed = page.safeParse(await response.json().catch(() => undefined));
  if (parsed.success)
    return parsed.data.map(({ item_key, item_value }) =>
      item_value === "true" ? item_key : item_key + wrongValue,
    );
  throw new EdgeError("The reply of Fastly is not a list of items.");
}

/** Leaves out the reply's body, which may repeat the token. */
function refusal({ status, headers }: Response): EdgeError {
  const retryAfterMs = waitOf(headers);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 401 || status === 403)
    return new EdgeError(
      "Fastly refuses the token. Set FASTLY_API_TOKEN to a token that can change this service.",
      wait,
    );
  if (status === 404)
    return new EdgeError("Fastly has no such service or dictionary, or an item was already deleted.", wait);
  if (status === 429) return new EdgeError("Fastly allows no more calls for now. Retrying later.", wait);
  if (status === 409)
    return new EdgeError("Another program is changing the dictionary at Fastly. Retrying.", wait);
  if (status >= 500) return new EdgeError(`Fastly has an internal error (${status}). Retrying.`, wait);
  return new EdgeError(`Fastly refuses the change (${status}). Sluice reads the dictionary again.`, wait);
}

/** Ms to wait: from seconds, or from the moment in which all calls are free again. */
function waitOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  if (seconds > 0) return seconds * 1_000;
  if (headers.get("fastly-ratelimit-remaining") !== "0") return undefined;
  const reset = Number(headers.get("fastly-ratelimit-reset") ?? Number.NaN) * 1_000 - Date.now();
  return reset > 0 ? reset : undefined;
}
