import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface RedisProxy {
  readonly port: number;
  /** Commands that were answered by the proxy itself. */
  readonly refused: readonly string[];
  stop(): Promise<void>;
}

export interface ProxyOptions {
  /** An error to answer with instead of passing the command on; by the command's words in capitals. */
  readonly refuse?: (words: string) => string | undefined;
  /** What Redis sends is passed on this much later. */
  readonly delayMs?: number;
}

/** A TCP proxy before a real Redis: it can refuse commands as a managed server does, and it can be far away. */
export async function startProxy(target: number, { refuse, delayMs = 0 }: ProxyOptions): Promise<RedisProxy> {
  const sockets = new Set<Socket>();
  const refused: string[] = [];
  const server = createServer((client) => {
    const onward = connect(target, "127.0.0.1");
    for (const socket of [client, onward]) {
      sockets.add(socket);
      socket.setNoDelay();
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        onward.destroy();
      });
    }
    // A refusal must come in its place among the answers: the command in its stead is one that always fails.
    client.on("data", (chunk: Buffer) => onward.write(refuse ? replaced(chunk, refuse, refused) : chunk));
    onward.on("data", (chunk: Buffer) => {
      const answer = refuse ? Buffer.from(renamed(chunk.toString("latin1"), refuse), "latin1") : chunk;
      if (delayMs === 0) client.write(answer);
      else setTimeout(() => client.destroyed || client.write(answer), delayMs);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return {
    port: address.port,
    refused,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const standIn = "SLUICE-REFUSED";

/** Each command to refuse becomes one that Redis does not know, with the first as its argument. */
function replaced(chunk: Buffer, refuse: (words: string) => string | undefined, refused: string[]): Buffer {
  const text = chunk.toString("latin1");
  return Buffer.from(
    text.replace(/\*\d+\r\n(?:\$\d+\r\n[^\r\n]*\r\n)+/g, (command) => {
      const words = [...command.matchAll(/\$\d+\r\n([^\r\n]*)\r\n/g)].map(([, word]) => word ?? "");
      const name = words.join(" ").toUpperCase();
      if (refuse(name) === undefined) return command;
      refused.push(name);
      return `*2\r\n$${standIn.length}\r\n${standIn}\r\n$${name.length}\r\n${name}\r\n`;
    }),
    "latin1",
  );
}

/** Redis' error for that command becomes the refusal. It ends with the arguments in quotes. */
function renamed(text: string, refuse: (words: string) => string | undefined): string {
  return text.replace(
    new RegExp(`-ERR unknown command '${standIn}', with args beginning with: '([^']*)' ?\\r\\n`, "g"),
    (_, name: string) => `-${refuse(name) ?? "ERR refused"}\r\n`,
  );
}
