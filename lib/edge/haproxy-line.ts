import { connect, type TcpNetConnectOpts } from "node:net";
import { EdgeError } from "./dictionary.ts";

const answersWithinMs = 2_000;

/** One command to the Runtime API at a path, or at host and port, and all that HAProxy says to it: it hangs up after each. */
export function askHaproxy(where: string, command: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(addressOf(where));
    let text = "";
    const fail = (why: string) => {
      socket.destroy();
      reject(new EdgeError(why));
    };
    socket.setEncoding("utf8");
    socket.setTimeout(answersWithinMs, () => fail(`HAProxy at ${where} did not answer within 2 s.`));
    socket.on("data", (part: string) => {
      text += part;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => fail(unreachable(where, error)));
    socket.on("end", () => resolve(text.trim()));
    const abort = () => fail(`The connection to HAProxy at ${where} was closed.`);
    signal.addEventListener("abort", abort);
    socket.on("close", () => {
      signal.removeEventListener("abort", abort);
      fail(`HAProxy hung up at ${where}.`);
    });
    socket.write(`${command}\n`);
  });
}

function addressOf(where: string): { path: string } | Pick<TcpNetConnectOpts, "host" | "port"> {
  const found = /^(?:\[([^/]+)\]|([^/]+)):(\d+)$/.exec(where);
  return found ? { host: found[1] ?? found[2] ?? "", port: Number(found[3]) } : { path: where };
}

function unreachable(where: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === "ECONNREFUSED" || code === "ENOENT")
    return `Nobody listens at ${where}: is HAProxy up, with "stats socket ${where} level admin"?`;
  if (code === "EACCES") return `Sluice may not write to ${where}: let it run in the socket's group.`;
  return `HAProxy cannot be reached at ${where}: ${code ?? message}.`;
}
