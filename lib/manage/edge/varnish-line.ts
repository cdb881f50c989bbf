import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { EdgeError } from "./dictionary.ts";

export interface ManagementPort {
  readonly host: string;
  readonly port: number;
}

export interface VarnishReply {
  readonly status: number;
  readonly text: string;
}

/** Status codes of Varnish. */
export const done = 200;
export const cutShort = 201;
const authenticationRequired = 107;

const timeoutMs = 2_000;

/** "200 12      \n", followed by this number of bytes and a line end. */
const headLength = 13;

interface PendingReply {
  readonly answer: (reply: VarnishReply) => void;
  readonly fail: (error: EdgeError) => void;
}

export function openVarnishLine(address: ManagementPort): VarnishLine {
  const socket = connect({ host: address.host, port: address.port, noDelay: true });
  return new VarnishLine(socket, whereIs(address));
}

/** A connection to Varnish's management port. Replies come in the order of the commands. */
export class VarnishLine {
  readonly #where: string;
  readonly #socket: Socket;
  readonly #pending: PendingReply[] = [];
  #unread: Buffer = Buffer.alloc(0);
  #end: EdgeError | undefined;

  constructor(socket: Socket, where: string) {
    this.#where = where;
    this.#socket = socket;
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes));
    this.#socket.on("error", (error: NodeJS.ErrnoException) => this.#stop(this.#unreachable(error)));
    this.#socket.on("close", () =>
      this.#stop(new EdgeError(`Varnish closed the connection at ${this.#where}.`)),
    );
  }

  /** Proves that Sluice knows the secret, if Varnish asks for it. */
  async authenticate(secret: Buffer, secretFile: string): Promise<void> {
    const greeting = await this.#reply(timeoutMs);
    if (greeting.status === done) return;
    if (greeting.status !== authenticationRequired) throw this.#notVarnish();
    const { status } = await this.ask(`auth ${answerTo(greeting.text.slice(0, 32), secret)}`);
    if (status === done) return;
    throw new EdgeError(
      `Varnish at ${this.#where} does not accept the secret in ${secretFile}. Name the file that varnishd got with -S.`,
    );
  }

  ask(command: string, withinMs = timeoutMs): Promise<VarnishReply> {
    if (!this.#end) this.#socket.write(`${command}\n`);
    return this.#reply(withinMs);
  }

  close(): void {
    this.#stop(new EdgeError(`The connection to Varnish at ${this.#where} was closed.`));
  }

  async #reply(withinMs: number): Promise<VarnishReply> {
    if (this.#end) throw this.#end;
    const timeout = new EdgeError(`Varnish at ${this.#where} did not answer within ${withinMs / 1_000} s.`);
    const timer = setTimeout(() => this.#stop(timeout), withinMs);
    try {
      return await new Promise((answer, fail) => this.#pending.push({ answer, fail }));
    } finally {
      clearTimeout(timer);
    }
  }

  #take(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    while (this.#unread.length >= headLength) {
      const head = /^(\d{3}) (\d{1,8}) *\n$/.exec(this.#unread.toString("latin1", 0, headLength));
      if (!head) {
        this.#stop(this.#notVarnish());
        return;
      }
      const end = headLength + Number(head[2]);
      if (this.#unread.length <= end) return;
      const text = this.#unread.toString("utf8", headLength, end);
      this.#unread = this.#unread.subarray(end + 1);
      this.#pending.shift()?.answer({ status: Number(head[1]), text });
    }
  }

  #unreachable({ code, message }: NodeJS.ErrnoException): EdgeError {
    if (code === "ECONNREFUSED")
      return new EdgeError(`No process listens at ${this.#where}. Start Varnish with -T ${this.#where}.`);
    return new EdgeError(`Varnish cannot be reached at ${this.#where}: ${code ?? message}.`);
  }

  #notVarnish(): EdgeError {
    return new EdgeError(`The service at ${this.#where} is not Varnish's management port.`);
  }

  #stop(why: EdgeError): void {
    this.#end ??= why;
    this.#socket.destroy();
    for (const { fail } of this.#pending.splice(0)) fail(this.#end);
  }
}

export function whereIs({ host, port }: ManagementPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function answerTo(challenge: string, secret: Buffer): string {
  return createHash("sha256").update(`${challenge}\n`).update(secret).update(`${challenge}\n`).digest("hex");
}
