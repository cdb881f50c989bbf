import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An https server of a test, with a certificate for localhost. */
export async function startSource() {
  const folder = mkdtempSync(join(tmpdir(), "sluice-feed-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const words =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost";
  const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert];
  execFileSync("openssl", [...words.split(" "), ...names], { stdio: "ignore" });
  const ca = readFileSync(cert, "utf8");
  const answers = new Map<string, Answer>();
  const requests: IncomingMessage[] = [];
  const server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    requests.push(request);
    const answer = answers.get(request.url ?? "");
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ca,
    requests,
    port,
    folder,
    url: (path: string) => `https://localhost:${port}${path}`,
    serve: (path: string, answer: Answer | string) =>
      answers.set(path, typeof answer === "string" ? (_, response) => response.end(answer) : answer),
    file(name: string, text: string): string {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export type Source = Awaited<ReturnType<typeof startSource>>;
