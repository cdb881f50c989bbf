import { z } from "zod";
import { isOfUsers } from "../../../../lib/audit/filter.ts";
import { aboutOf } from "../../../../lib/audit/record.ts";
import { DomainError } from "../../../../lib/errors.ts";
import type { AuditDetail } from "../../../../lib/queries/audit.ts";
import { policyDiff } from "../../../../lib/undo/policy-diff.ts";
import { readSealed } from "../../../../lib/undo/sealed.ts";
import { saySides } from "../../../../lib/undo/sides.ts";
import { read, requireRole } from "../../../_server/read.ts";

type Params = { n: string };

export const GET = read<z.ZodObject, Params>(
  "read",
  z.object({}),
  async ({ console, who, params }): Promise<AuditDetail> => {
    if (!/^[1-9]\d{0,14}$/.test(params.n))
      throw new DomainError("bad-input", "This is no number of a record.");
    const record = await readSealed(console, Number(params.n));
    if (isOfUsers(record)) requireRole(who, "users");
    const changes = record.changes.map((change) => {
      const { target, before, after } = saySides(record, change);
      return { target, before: [...before], after: [...after] };
    });
    const diff = await policyDiff(console.redis, record);
    return { n: record.n, action: aboutOf(record), changes, diff: diff ? [...diff] : null };
  },
);
