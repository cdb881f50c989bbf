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

/** Varnish's own numbers. */
export const done = 200;
export const cutShort = 201;
const authenticate = 107;

const answersWithinMs = 2_000;

/** "200 12      \n", and so many bytes and a line end after it. */
const headLength = 13;

interface Asker {
  readonly answer: (reply: VarnishReply) => void;
  readonly fail: (error: EdgeError) => void;
}

/** One talk with Varnish over its management port. The answers come in the order of the commands. */
export class VarnishLine {
  readonly #where: string;
  readonly #socket: Socket;
  readonly #askers: Asker[] = [];
  #unread: Buffer = Buffer.alloc(0);
  #end: EdgeError | undefined;

  constructor(address: ManagementPort) {
    this.#where = whereIs(address);
    this.#socket = connect({ host: address.host, port: address.port, noDelay: true });
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes));
    this.#socket.on("error", (error: NodeJS.ErrnoException) => this.#stop(this.#unreachable(error)));
    this.#socket.on("close", () => this.#stop(new EdgeError(`Varnish hung up at ${this.#where}.`)));
  }

  /** Proves that the secret is known, where Varnish asks for it. */
  async prove(secret: Buffer, secretFile: string): Promise<void> {
    const greeting = await this.#reply(answersWithinMs);
    if (greeting.status === done) return;
    if (greeting.status !== authenticate) throw this.#stranger();
    const { status } = await this.ask(`auth ${answerTo(greeting.text.slice(0, 32), secret)}`);
    if (status === done) return;
    throw new EdgeError(
      `Varnish at ${this.#where} does not accept the secret in ${secretFile}: name the file that varnishd got with -S.`,
    );
  }

  ask(command: string, withinMs = answersWithinMs): Promise<VarnishReply> {
    if (!this.#end) this.#socket.write(`${command}\n`);
    return this.#reply(withinMs);
  }

  close(): void {
    this.#stop(new EdgeError(`The connection to Varnish at ${this.#where} was closed.`));
  }

  async #reply(withinMs: number): Promise<VarnishReply> {
    if (this.#end) throw this.#end;
    const silence = new EdgeError(`Varnish at ${this.#where} did not answer within ${withinMs / 1_000} s.`);
    const timer = setTimeout(() => this.#stop(silence), withinMs);
    try {
      return await new Promise((answer, fail) => this.#askers.push({ answer, fail }));
    } finally {
      clearTimeout(timer);
    }
  }

  #take(bytes: Buffer): void {
    this.#unread = Buffer.concat([this.#unread, bytes]);
    while (this.#unread.length >= headLength) {
      const head = /^(\d{3}) (\d{1,8}) *\n$/.exec(this.#unread.toString("latin1", 0, headLength));
      if (!head) {
        this.#stop(this.#stranger());
        return;
      }
      const end = headLength + Number(head[2]);
      if (this.#unread.length <= end) return;
      const text = this.#unread.toString("utf8", headLength, end);
      this.#unread = this.#unread.subarray(end + 1);
      this.#askers.shift()?.answer({ status: Number(head[1]), text });
    }
  }

  #unreachable({ code, message }: NodeJS.ErrnoException): EdgeError {
    if (code === "ECONNREFUSED")
      return new EdgeError(`Nobody listens at ${this.#where}: is Varnish up, with -T ${this.#where}?`);
    return new EdgeError(`Varnish cannot be reached at ${this.#where}: ${code ?? message}.`);
  }

  #stranger(): EdgeError {
    return new EdgeError(`What answers at ${this.#where} is not Varnish's management port.`);
  }

  #stop(why: EdgeError): void {
    this.#end ??= why;
    this.#socket.destroy();
    for (const { fail } of this.#askers.splice(0)) fail(this.#end);
  }
}

export function whereIs({ host, port }: ManagementPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function answerTo(challenge: string, secret: Buffer): string {
  return createHash("sha256").update(`${challenge}\n`).update(secret).update(`${challenge}\n`).digest("hex");
}
