import { Command } from "ioredis";
import type { CountersConnection } from "./connect.ts";

/**
 * A command of many words, whose reply is bytes. It is written as one text: ioredis asks for the bytes of each word, and adds piece to
 * piece, which takes four times as long.
 */
export class LongCommand extends Command {
  constructor({ options }: Pick<CountersConnection, "options">, name: string, words: string[]) {
    const { keyPrefix } = options;
    super(name, words, { replyEncoding: null, ...(keyPrefix !== undefined && { keyPrefix }) });
  }

  override toWritable(socket: object): string | Buffer {
    const { name, args } = this;
    const lines = [`*${args.length + 1}`, `$${name.length}`, name];
    for (const word of args) {
      if (typeof word !== "string") return super.toWritable(socket);
      lines.push(lengths[word.length] ?? `$${word.length}`, word);
    }
    lines.push("");
    const text = lines.join("\r\n");
    // A letter that takes several bytes: then the lengths are wrong.
    return Buffer.byteLength(text) === text.length ? text : super.toWritable(socket);
  }
}

const lengths = Array.from({ length: 256 }, (_, length) => `$${length}`);
