import { z } from "zod";
import { type AskLeave, type Changes, type Dictionary, EdgeError } from "./dictionary.ts";

export interface FastlySettings {
  readonly service: string;
  readonly dictionary: string;
  /** Never shown, never logged. */
  readonly token: string;
  /** Another place than Fastly's own, for tests. */
  readonly api?: string;
  /** Fastly's own unless support has raised it. */
  readonly capacity?: number;
  readonly callsAnHour?: number;
}

const fastly = "https://api.fastly.com";
const itemsAPage = 100;
/** It counts a user's calls, whichever dictionary they are for. */
const account = "fastly";
const looksEveryMs = 300_000;
const hourMs = 3_600_000;
const patienceMs = 10_000;
const page = z.array(z.object({ item_key: z.string(), item_value: z.string() }));
/** Marks a key whose value limits nobody: it is not what anybody wishes for, so it is taken out, or put right. */
const odd = "\0";

/** A dictionary of Fastly, written by its batch API: the key of each fingerprint, with the value "true". */
export function fastlyDictionary(settings: FastlySettings): Dictionary {
  const { service, dictionary, api = fastly, capacity = 1_000, callsAnHour = 1_000 } = settings;
  const items = `${api}/service/${encodeURIComponent(service)}/dictionary/${encodeURIComponent(dictionary)}/items`;

  const callsALook = Math.floor(capacity / itemsAPage) + 1;
  /** Looks take no more than a quarter of the hour's calls. */
  const lookEveryMs = Math.max(looksEveryMs, (4 * callsALook * hourMs) / callsAnHour);

  async function call(path: string, init: RequestInit, askLeave: AskLeave): Promise<Response> {
    await askLeave();
    const headers = { "fastly-key": settings.token, accept: "application/json", ...init.headers };
    const signal = AbortSignal.timeout(patienceMs);
    const response = await fetch(path, { ...init, headers, signal, redirect: "error" }).catch(() => {
      throw new EdgeError("Fastly does not answer. It is tried again.");
    });
    if (response.ok) return response;
    await response.body?.cancel();
    throw refusal(response);
  }

  return {
    ...{ kind: "fastly", name: `fastly ${service}/${dictionary}`, capacity, callsAnHour, account },
    ...{ callsALook, lookEveryMs, callLastsMs: patienceMs, changesACall: 1_000 },
    async read(askLeave) {
      const found = new Set<string>();
      for (let number = 1; ; number++) {
        const path = `${items}?page=${number}&per_page=${itemsAPage}&sort=created`;
        const keys = await readPage(await call(path, {}, askLeave));
        for (const key of keys) found.add(key);
        if (keys.length < itemsAPage) return found;
      }
    },
    async change({ add, remove }: Changes, askLeave) {
      const put = new Set(add);
      const gone = remove.map((key) => key.replace(odd, "")).filter((key) => !put.has(key));
      const batch = [
        ...gone.map((key) => ({ op: "delete", item_key: key })),
        ...add.map((key) => ({ op: "upsert", item_key: key, item_value: "true" })),
      ];
      const body = JSON.stringify({ items: batch });
      const headers = { "content-type": "application/json" };
      const response = await call(items, { method: "PATCH", headers, body }, askLeave);
      await response.body?.cancel();
    },
    close() {},
  };
}

async function readPage(response: Response): Promise<string[]> {
  const parsed = page.safeParse(await response.json().catch(() => undefined));
  if (parsed.success)
    return parsed.data.map(({ item_key, item_value }) => (item_value === "true" ? item_key : item_key + odd));
  throw new EdgeError("Fastly answers with something that is no list of items.");
}

/** What the answer's body says is left out: nobody knows what it repeats. */
function refusal({ status, headers }: Response): EdgeError {
  const retryAfterMs = waitOf(headers);
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  if (status === 401 || status === 403)
    return new EdgeError(
      "Fastly refuses the token: FASTLY_API_TOKEN must be one that may change this service.",
      wait,
    );
  if (status === 404)
    return new EdgeError("Fastly knows no such service or dictionary, or an item was gone already.", wait);
  if (status === 429)
    return new EdgeError("Fastly allows no more calls for now. It goes on by itself.", wait);
  if (status === 409)
    return new EdgeError("Somebody else changes the dictionary at Fastly. It is tried again.", wait);
  if (status >= 500)
    return new EdgeError(`Fastly has trouble of its own (${status}). It is tried again.`, wait);
  return new EdgeError(
    `Fastly refuses the change (${status}). What the dictionary holds is read again.`,
    wait,
  );
}

/** In seconds from now, or as the second in which the allowance is whole again. */
function waitOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  if (seconds > 0) return seconds * 1_000;
  if (headers.get("fastly-ratelimit-remaining") !== "0") return undefined;
  const reset = Number(headers.get("fastly-ratelimit-reset") ?? Number.NaN) * 1_000 - Date.now();
  return reset > 0 ? reset : undefined;
}
