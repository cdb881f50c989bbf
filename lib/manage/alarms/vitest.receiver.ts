import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A receiver of webhooks, on this machine. */
export async function startReceiver() {
  const received: Received[] = [];
  let answer: (count: number) => number | "hang" = () => 200;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    received.push({ path: request.url ?? "", headers: request.headers, body });
    const status = answer(received.length);
    if (status !== "hang") response.writeHead(status).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    answer: (how: typeof answer) => {
      answer = how;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
