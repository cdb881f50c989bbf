import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { answerApi } from "../../console/api/api.ts";
import { testApi } from "../../console/api/vitest.api.ts";
import type { Ip } from "../../ip/parse.ts";
import { scopes, type TokenScope } from "../../manage/tokens/scopes.ts";
import { sluice as run } from "../testing.ts";

interface Given {
  readonly stdin?: string;
  /** Null for none. */
  readonly apiToken?: string | null;
  /** Longest wait, in ms. */
  readonly appliedWithinMs?: number;
}

/** A console's API on a port, and the command that knows only its URL and a token. */
export function testOverApi() {
  const api = testApi();
  let server: Server;
  let url: string;
  let token: string;
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const asked = new Request(`http://console.example.org${request.url}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(body.length > 0 && { body }),
      });
      const origin = { address: "203.0.113.200" as Ip, isForwarded: false };
      const answer = await answerApi(api.parts, asked, origin);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(async () => {
    token = await api.token(scopes, { name: "deploy" });
  });
  afterAll(() => new Promise((closed) => server.close(closed)));
  return {
    api,
    get token() {
      return token;
    },
    /** The command without Redis and without the console's secret. */
    sluice(
      argv: readonly string[] | string,
      { stdin = "", apiToken = token, appliedWithinMs = 0 }: Given = {},
    ) {
      return run(typeof argv === "string" ? argv.split(" ") : argv, {
        ...{ stdin, appliedWithinMs },
        environment: { secret: undefined, apiUrl: url, apiToken: apiToken ?? undefined },
      });
    },
    tokenWith: (...given: TokenScope[]) => api.token(given, { name: given.join(" ") }),
  };
}
