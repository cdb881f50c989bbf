import { z } from "zod";
import { listUsers } from "../../../lib/auth/users.ts";
import { read } from "../../_server/read.ts";

export const dynamic = "force-dynamic";

export const GET = read("users", z.object({}), async ({ console: { redis } }) => ({
  users: await listUsers(redis),
}));
