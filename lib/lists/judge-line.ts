import type { ListName } from "../redis/keys.ts";
import type { AddOutcome, Refused } from "./add.ts";
import { formatDuration } from "./duration.ts";
import { type BadLine, type ImportLine, isBad } from "./import-lines.ts";
import { isLater, lifeOf } from "./life.ts";
import type { Around, PreviewedLine, PreviewInput } from "./preview.ts";

type Judged = Omit<PreviewedLine, "line" | "text">;
type Accepted = Exclude<AddOutcome, Refused>;

/** A line that cannot be read, in words. */
export function judgeBad(line: ImportLine | BadLine): Judged {
  if (!isBad(line)) return { status: "refused", message: "Nothing is known of it." };
  const { fault, message, suggestion } = line;
  return { status: fault, message: sentence(message), ...(suggestion && { suggestion }) };
}

/** What would become of a line, in words. */
export function judgeGood(
  line: ImportLine,
  outcome: AddOutcome,
  input: PreviewInput,
  around: Around,
): Judged {
  const { address } = line;
  const { list, mayForever } = input;
  if (outcome.outcome === "refused")
    return { address, status: outcome.why ?? "refused", message: outcome.message };
  if (outcome.outcome === "kept")
    return { address, status: "kept", message: `On the ${list} already ${howLong(outcome.expiresAt)}.` };
  const isForever = (line.life ?? lifeOf(input.ttlMs)) === "forever";
  if (isForever && !mayForever)
    return { address, status: "refused", message: "Only an admin may add an entry that never ends." };
  return outcome.outcome === "added"
    ? judgeNew(line, outcome, list, around)
    : judgeLonger(line, outcome, list, around);
}

function judgeNew({ address }: ImportLine, { expiresAt }: Accepted, list: ListName, around: Around): Judged {
  const cover = around.cover(list, address);
  if (cover && !isLater(expiresAt, cover.expiresAt))
    return { address, status: "covered", message: `${cover.address} covers it ${howLong(cover.expiresAt)}.` };
  const shorter = cover ? `Outlasts ${cover.address}, which covers it ${howLong(cover.expiresAt)}.` : "";
  const says = address.includes("/")
    ? `Will be added, the whole /${address.split("/")[1]}.`
    : "Will be added.";
  return { address, status: "new", ...withInside([says, shorter], address, list, around) };
}

function judgeLonger(
  { address }: ImportLine,
  { expiresAt }: Accepted,
  list: ListName,
  around: Around,
): Judged {
  const end = around.endOf(list, address);
  const now = end === undefined ? `On the ${list} already` : `On the ${list} ${howLong(end)}`;
  const says = `${now}; will stay ${howLong(expiresAt)}.`;
  return { address, status: "extends", ...withInside([says], address, list, around) };
}

/** What a range means for entries of the other list, and the other way round. */
function withInside(says: string[], address: ImportLine["address"], list: ListName, around: Around) {
  const told = says.filter(Boolean);
  if (list === "safelist") {
    const block =
      around.endOf("blocklist", address) === undefined
        ? around.cover("blocklist", address)?.address
        : address;
    if (block !== undefined) told.push(`It wins over ${block} on the blocklist.`);
    return { message: told.join(" ") };
  }
  const coversSafelisted = address.includes("/") ? around.inside("safelist", address) : 0;
  if (coversSafelisted === 0) return { message: told.join(" ") };
  told.push(`${coversSafelisted} safelisted inside ${coversSafelisted === 1 ? "stays" : "stay"} free.`);
  return { message: told.join(" "), coversSafelisted };
}

/** To the minute, because it is told a moment later. */
function howLong(expiresAt: number | null): string {
  if (expiresAt === null) return "for good";
  const left = expiresAt - Date.now();
  return `for ${formatDuration(left < 90_000 ? left : Math.round(left / 60_000) * 60_000)}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith("?") ? "" : "."}`;
}
