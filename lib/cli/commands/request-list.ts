import { formatDuration } from "../../enforce/lists/entry.ts";
import { sayWish, type UserRequest } from "../../manage/requests/user-request.ts";
import type { Command } from "../command.ts";
import { moment } from "../moment.ts";
import { columns, printable } from "../terminal.ts";

export const requestList: Command = {
  name: "request list",
  takes: "",
  operands: { least: 0, most: 0 },
  summary: "Show what users ask staff for",
  about: ["Open requests first, then those that were decided, the newest first."],
  options: [],
  examples: ["sluice request list", "sluice request list --json"],
  async run({ readAccess }) {
    const requests = await (await readAccess()).listRequests();
    const open = requests.filter(({ decision }) => !decision);
    const rows = [...open, ...requests.filter(({ decision }) => decision)].map(row);
    const head = ["ID", "REQUEST", "FOR", "BY", "AT", "STATE", "REASON"];
    return {
      lines: rows.length === 0 ? ["No requests."] : columns([head, ...rows]),
      json: requests,
    };
  },
};

function row(request: UserRequest): string[] {
  const { id, ttlMs, by, role, at, reason, decision } = request;
  const state = decision
    ? `${decision.is} by ${decision.by}${decision.word === "" ? "" : `: ${decision.word}`}`
    : "open";
  const life = ttlMs === null ? "-" : formatDuration(ttlMs);
  return [id, sayWish(request), life, `${by} (${role})`, moment(Date.parse(at)), state, reason].map(
    printable,
  );
}
