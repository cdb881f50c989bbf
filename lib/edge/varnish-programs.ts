import { randomBytes } from "node:crypto";
import { EdgeError } from "./dictionary.ts";
import { cutShort, done, type VarnishLine, type VarnishReply } from "./varnish-line.ts";
import { readTable } from "./varnish-table.ts";

/** What Varnish runs at this moment. */
export interface Running {
  /** The VCL it was made of. */
  readonly file: string;
  readonly keys: Set<string>;
}

const compilesWithinMs = 30_000;
const ours = "sluice-";

export async function running(line: VarnishLine): Promise<Running> {
  const name = (await programs(line)).find(({ isActive }) => isActive)?.name;
  if (name === undefined) throw new EdgeError("Varnish runs nothing: it has no active VCL.");
  const text = await show(line, name);
  const file = /^\/\/ VCL\.SHOW 0 \d+ (.*)$/m.exec(text)?.[1] ?? name;
  const keys = readTable(text);
  if (keys) return { file, keys };
  throw new EdgeError(
    `Varnish runs ${file}, which does not include sluice.vcl: include it, and reload Varnish.`,
  );
}

/** Says under which name it may be used. */
export async function compile(line: VarnishLine, vclFile: string): Promise<string> {
  const name = `${ours}${Date.now()}-${randomBytes(4).toString("hex")}`;
  const reply = await line.ask(`vcl.load ${name} ${JSON.stringify(vclFile)}`, compilesWithinMs);
  if (reply.status === done) return name;
  throw new EdgeError(`Varnish cannot compile ${vclFile}, and goes on with what it has: ${gist(reply)}`);
}

/** From now on Varnish runs it, and what Sluice made before it is let go. */
export async function use(line: VarnishLine, name: string): Promise<void> {
  const reply = await line.ask(`vcl.use ${name}`);
  if (reply.status !== done) throw new EdgeError(`Varnish does not take the new table: ${gist(reply)}`);
  for (const program of await programs(line))
    if (!program.isActive && program.name.startsWith(ours)) await discard(line, program.name);
}

/** What refuses to go, as something that has a label does, is asked again the next time. */
export async function discard(line: VarnishLine, name: string): Promise<void> {
  await line.ask(`vcl.discard ${name}`);
}

/** Everything that a program is made of, with what it includes. */
export async function show(line: VarnishLine, name: string): Promise<string> {
  let reply = await line.ask(`vcl.show -v ${name}`);
  if (reply.status === cutShort) {
    await line.ask("param.set cli_limit 16m");
    reply = await line.ask(`vcl.show -v ${name}`);
  }
  if (reply.status === cutShort)
    throw new EdgeError("Varnish cuts its answers short: start varnishd with -p cli_limit=16m.");
  if (reply.status !== done) throw new EdgeError(`Varnish does not show what it runs: ${gist(reply)}`);
  return reply.text;
}

/** Its columns: status, state, temperature, busy, name. What is discarded goes when nobody works with it any more. */
async function programs(line: VarnishLine): Promise<{ name: string; isActive: boolean }[]> {
  const { text } = await line.ask("vcl.list");
  return text.split("\n").flatMap((row) => {
    const [status, , , , name] = row.trim().split(/\s+/);
    return name === undefined || status === "discarded" ? [] : [{ name, isActive: status === "active" }];
  });
}

/** The reason and the place, without the lines of the program that come after: they may hold secrets. */
function gist({ text }: VarnishReply): string {
  const lines = text.split("\n").filter((one) => one.trim() !== "" && !one.startsWith("Message from"));
  const place = lines.findIndex((one) => / Line \d+ Pos \d+\)/.test(one));
  return lines
    .slice(0, place < 0 ? 2 : place + 1)
    .join(" ")
    .slice(0, 400);
}
