import { at } from "../../at.ts";
import { DomainError } from "../../errors.ts";
import { parseObject } from "../../parse-object.ts";
import { keys } from "../../redis/keys.ts";
import { commit } from "../audit/commit.ts";
import type { Signed } from "../audit/record.ts";
import { linkNameProblem, linkProblem } from "./link-template.ts";
import { type Link, linkField, mostLinks } from "./links.ts";

/** Sets a link of every client or of every customer. A link of the same name is replaced. */
export async function setLink(
  ctx: Signed,
  { kind, name, template }: Pick<Link, "kind" | "name" | "template">,
): Promise<{ readonly outcome: "added" | "replaced" | "kept" }> {
  refuse("name", linkNameProblem(name));
  refuse("template", linkProblem(kind, template));
  const field = linkField({ kind, name });
  const { decision } = await commit(ctx, {
    ...{ action: "link.set", reason: "" },
    slots: [{ key: keys.links(), field, target: `${kind} ${name}` }],
    hashes: [keys.links()],
    decide({ now, slots, hashes }) {
      const found = at(slots, 0);
      const before = found.kind === "string" ? parseObject(found.value)?.template : undefined;
      if (before === template) return { outcome: "kept" as const, writes: [] };
      if (found.kind === "none") refuseMore(at(hashes, 0), kind);
      const value = JSON.stringify({ template, by: ctx.actor.name, at: new Date(now).toISOString() });
      return {
        outcome: found.kind === "none" ? ("added" as const) : ("replaced" as const),
        writes: [{ slot: 0, to: { value, expiresAt: null } }],
      };
    },
  });
  return { outcome: decision.outcome };
}

/** Removes a link. */
export async function removeLink(ctx: Signed, { kind, name }: Pick<Link, "kind" | "name">): Promise<void> {
  const field = linkField({ kind, name });
  await commit(ctx, {
    ...{ action: "link.remove", reason: "" },
    slots: [{ key: keys.links(), field, target: `${kind} ${name}` }],
    decide({ slots }) {
      if (at(slots, 0).kind !== "string")
        throw new DomainError("not-found", `There is no link ${name} of ${kind}s.`);
      return { writes: [{ slot: 0, to: null }] };
    },
  });
}

function refuse(field: string, problem: string | undefined): void {
  if (problem !== undefined) throw new DomainError("bad-input", `${problem}.`, { [field]: problem });
}

function refuseMore(links: ReadonlyMap<string, string>, kind: Link["kind"]): void {
  const count = [...links.keys()].filter((field) => field.startsWith(`${kind}:`)).length;
  if (count < mostLinks) return;
  throw new DomainError("bad-input", `There are ${mostLinks} links of ${kind}s already. Remove one first.`);
}
