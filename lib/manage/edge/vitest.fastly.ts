import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Trouble {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** The change is made, but the reply is lost: the connection is cut. */
  readonly isMade?: boolean;
}

interface Operation {
  readonly op: string;
  readonly item_key: string;
  readonly item_value?: string;
}

/** Fastly's API of dictionary items: pages of at most 100, batches of at most 1,000 that are made whole or not at all. */
export class FakeFastly {
  readonly items = new Map<string, string>();
  readonly calls = { reads: 0, changes: 0 };
  /** Failures of the next calls, in order. */
  readonly troubles: Trouble[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly token = "fastly-token-of-a-test";
  capacity = 1_000;

  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://fastly");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const reply = (status: number, body: unknown, headers = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
    };
    if (request.headers["fastly-key"] !== this.token)
      return reply(401, { msg: "Provided credentials are missing or invalid" });
    if (pathname !== "/service/SU1Z0isxPaozGVKXdv0eY/dictionary/3vjTN8v1O7nOAY7aNDGOL/items")
      return reply(404, { msg: "Record not found" });
    const isChange = request.method === "PATCH";
    this.calls[isChange ? "changes" : "reads"]++;
    const trouble = this.troubles.shift();
    if (trouble && !trouble.isMade) return reply(trouble.status, { msg: "trouble" }, trouble.headers);
    if (!isChange)
      return reply(200, this.#page(Number(searchParams.get("page")), Number(searchParams.get("per_page"))));
    const refused = this.#change(JSON.parse(Buffer.concat(chunks).toString()).items);
    if (trouble) return void request.socket.destroy();
    if (refused) return reply(400, { msg: "Bad request", detail: refused });
    reply(200, { status: "ok" });
  }

  #page(number: number, size: number) {
    const from = (number - 1) * Math.min(size, 100);
    return [...this.items]
      .slice(from, from + Math.min(size, 100))
      .map(([item_key, item_value]) => ({ item_key, item_value, dictionary_id: "3vjTN8v1O7nOAY7aNDGOL" }));
  }

  #change(operations: readonly Operation[]): string | undefined {
    if (operations.length > 1_000) return "Exceeding max_batch_size of 1000";
    const after = new Map(this.items);
    for (const { op, item_key, item_value } of operations) {
      if (item_key.length > 256 || (item_value?.length ?? 0) > 8_000) return "too long";
      if (op === "delete" && !after.delete(item_key)) return "The item does not exist";
      if (op === "create" && after.has(item_key)) return "Duplicate record";
      if (op === "upsert" || op === "create") after.set(item_key, item_value ?? "");
    }
    if (after.size > this.capacity) return "Exceeding max_dictionary_items";
    this.items.clear();
    for (const [key, value] of after) this.items.set(key, value);
    return undefined;
  }
}
