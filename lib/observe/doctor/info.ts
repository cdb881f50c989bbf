import type { Connection } from "../../redis/connect.ts";

/** Fields of one section of INFO. */
export async function readInfo(redis: Connection, section: string): Promise<ReadonlyMap<string, string>> {
  const text = await redis.info(section);
  const lines = text.split("\r\n").filter((line) => line.includes(":"));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)]));
}
