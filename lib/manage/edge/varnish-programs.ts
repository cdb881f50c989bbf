import { randomBytes } from "node:crypto";
import { EdgeError } from "./dictionary.ts";
import { cutShort, done, type VarnishLine, type VarnishReply } from "./varnish-line.ts";
import { readTable } from "./varnish-table.ts";

/** The program that Varnish runs now. */
export interface ActiveProgram {
  /** File of the VCL. */
  readonly file: string;
  readonly keys: Set<string>;
}

const compileTimeoutMs = 30_000;
const ownPrefix = "sluice-";

export async function running(line: VarnishLine): Promise<ActiveProgram> {
  const name = (await programs(line)).find(({ isActive }) => isActive)?.name;
  if (name === undefined) throw new EdgeError("Varnish has no active VCL. Load one.");
  const text = await show(line, name);
  const file = /^\/\/ VCL\.SHOW 0 \d+ (.*)$/m.exec(text)?.[1] ?? name;
  const keys = readTable(text);
  if (keys) return { file, keys };
  throw new EdgeError(
    `Varnish runs ${file}, which does not include sluice.vcl. Include it, and reload Varnish.`,
  );
}

/** Compiles the VCL. Returns the name of the program. */
export async function compile(line: VarnishLine, vclFile: string): Promise<string> {
  const name = `${ownPrefix}${Date.now()}-${randomBytes(4).toString("hex")}`;
  const reply = await line.ask(`vcl.load ${name} ${JSON.stringify(vclFile)}`, compileTimeoutMs);
  if (reply.status === done) return name;
  throw new EdgeError(`Varnish cannot compile ${vclFile}, and keeps its program: ${gist(reply)}`);
}

/** Makes Varnish run the program, and discards those that Sluice made before. */
export async function use(line: VarnishLine, name: string): Promise<void> {
  const reply = await line.ask(`vcl.use ${name}`);
  if (reply.status !== done) throw new EdgeError(`Varnish does not take the new table: ${gist(reply)}`);
  for (const program of await programs(line))
    if (!program.isActive && program.name.startsWith(ownPrefix)) await discard(line, program.name);
}

/** Varnish refuses to discard a program with a label. The next change tries again. */
export async function discard(line: VarnishLine, name: string): Promise<void> {
  await line.ask(`vcl.discard ${name}`);
}

/** The source of a program, with its includes. */
export async function show(line: VarnishLine, name: string): Promise<string> {
  let reply = await line.ask(`vcl.show -v ${name}`);
  if (reply.status === cutShort) {
    await line.ask("param.set cli_limit 16m");
    reply = await line.ask(`vcl.show -v ${name}`);
  }
  if (reply.status === cutShort)
    throw new EdgeError("Varnish cuts its replies short. Start varnishd with -p cli_limit=16m.");
  if (reply.status !== done) throw new EdgeError(`Varnish does not show its program: ${gist(reply)}`);
  return reply.text;
}

/** Columns: status, state, temperature, busy, name. A discarded program is listed until its last request ends. */
async function programs(line: VarnishLine): Promise<{ name: string; isActive: boolean }[]> {
  const { text } = await line.ask("vcl.list");
  return text.split("\n").flatMap((row) => {
    const [status, , , , name] = row.trim().split(/\s+/);
    return name === undefined || status === "discarded" ? [] : [{ name, isActive: status === "active" }];
  });
}

/** The reason and the place, without the following lines of the program, which may hold secrets. */
function gist({ text }: VarnishReply): string {
  const lines = text.split("\n").filter((one) => one.trim() !== "" && !one.startsWith("Message from"));
  const place = lines.findIndex((one) => / Line \d+ Pos \d+\)/.test(one));
  return lines
    .slice(0, place < 0 ? 2 : place + 1)
    .join(" ")
    .slice(0, 400);
}
