import type { Actor } from "../audit/record.ts";
import { testLists } from "../lists/vitest.context.ts";
import type { Role } from "../users/roles.ts";
import { type UndoContext, undo } from "./undo.ts";

/** A server of this test file's own, empty before each test, and users who undo records on it. */
export function testUndo() {
  const lists = testLists();
  const as = (role: Role, actor: Partial<Actor> = {}): UndoContext => ({
    ...lists.ctx({ name: "undoer@example.org", ...actor }),
    ...{ role, hasSso: true },
  });
  return {
    lists,
    as,
    undo: (n: number, role: Role = "admin", reason = "") => undo(as(role), { n, reason }),
    async lastRecord() {
      return (await lists.records()).at(-1);
    },
    /** How long a key still lives, in ms. */
    pttl: (key: string) => lists.client.pttl(key),
  };
}
