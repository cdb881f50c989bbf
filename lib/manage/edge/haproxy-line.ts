import { connect, type TcpNetConnectOpts } from "node:net";
import { EdgeError } from "./dictionary.ts";

const timeoutMs = 2_000;

/** Sends one command to the Runtime API, at a path or at host and port. Returns the reply, after which HAProxy hangs up. */
export function askHaproxy(where: string, command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(addressOf(where));
    let text = "";
    const fail = (why: string) => {
      socket.destroy();
      reject(new EdgeError(why));
    };
    socket.setEncoding("utf8");
    socket.setTimeout(timeoutMs, () => fail(`HAProxy at ${where} did not answer within 2 s.`));
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => fail(unreachable(where, error)));
    socket.on("end", () => resolve(text.trim()));
    const abort = () => fail(`The connection to HAProxy at ${where} was closed.`);
    signal.addEventListener("abort", abort);
    socket.on("close", () => {
      signal.removeEventListener("abort", abort);
      fail(`HAProxy closed the connection at ${where}.`);
    });
    socket.write(`${command}\n`);
  });
}

function addressOf(where: string): { path: string } | Pick<TcpNetConnectOpts, "host" | "port"> {
  const [, host, port] = /^([^/]+):(\d+)$/.exec(where) ?? [];
  return host === undefined ? { path: where } : { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function unreachable(where: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "ECONNREFUSED" || code === "ENOENT")
    return `No process listens at ${where}. Start HAProxy with "stats socket ${where} level admin".`;
  if (code === "EACCES") return `Sluice may not write to ${where}. Run it in the socket's group.`;
  return `HAProxy cannot be reached at ${where}: ${code ?? message}.`;
}
