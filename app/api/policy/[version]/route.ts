import { z } from "zod";
import { DomainError } from "../../../../lib/errors.ts";
import { diffPolicies } from "../../../../lib/policy/diff.ts";
import { isGood, readPolicy, readVersion } from "../../../../lib/policy/versions.ts";
import type { againstReply } from "../../../../lib/queries/policy.ts";
import { theConsole } from "../../../_server/console.ts";
import { read } from "../../../_server/read.ts";

const search = z.object({});

/** What a version says otherwise than the one in force. */
export const GET = read<typeof search, { version: string }>("read", search, async ({ params }) => {
  const { redis } = theConsole();
  const version = /^\d{1,15}$/.test(params.version) ? Number(params.version) : -1;
  const [inForce, found] = await Promise.all([readPolicy(redis), readVersion(redis, version)]);
  if (!found) throw new DomainError("not-found", "This version is not kept.");
  if (!isGood(found)) throw new DomainError("bad-input", `This version cannot be read: ${found.problem}.`);
  const changes = diffPolicies(inForce.policy, found.policy);
  return { version, inForce: inForce.version, changes } satisfies z.output<typeof againstReply>;
});
