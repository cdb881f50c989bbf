import { parseObject } from "../../parse-object.ts";
import type { Connection } from "../../redis/connect.ts";
import { keys } from "../../redis/keys.ts";
import { type LinkSubject, linkNameProblem, linkProblem, linkSubjects } from "./link-template.ts";

/** A link to another system, such as one with logs. */
export interface Link {
  readonly kind: LinkSubject;
  readonly name: string;
  /** A URL with a place for the address or the customer's id. */
  readonly template: string;
  readonly by: string;
  /** ISO */
  readonly at: string;
}

/** Most links of a kind. */
export const mostLinks = 6;

export const linkField = ({ kind, name }: Pick<Link, "kind" | "name">) => `${kind}:${name}`;

/** All links, by kind and name. Of what another program wrote, only sound links. */
export async function readLinks(redis: Connection): Promise<readonly Link[]> {
  const found = Object.entries(await redis.hgetall(keys.links())).flatMap(([field, text]) => {
    const link = readLink(field, text);
    return link ? [link] : [];
  });
  const sorted = found.sort((a, b) => (a.name < b.name ? -1 : 1));
  return linkSubjects.flatMap((kind) => sorted.filter((link) => link.kind === kind).slice(0, mostLinks));
}

function readLink(field: string, text: string): Link | undefined {
  const kind = linkSubjects.find((one) => field.startsWith(`${one}:`));
  const { template, by, at } = parseObject(text) ?? {};
  if (kind === undefined || typeof template !== "string") return undefined;
  const name = field.slice(kind.length + 1);
  if (linkNameProblem(name) !== undefined || linkProblem(kind, template) !== undefined) return undefined;
  return { kind, name, template, by: String(by ?? ""), at: String(at ?? "") };
}
