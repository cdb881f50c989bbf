/** What importing one line would do. */
export type LineStatus =
  | "new"
  | "extends"
  /** Its tags alone change. */
  | "tags"
  | "kept"
  /** A wider entry of the same list covers it for as long. */
  | "covered"
  | "safelisted"
  | "own"
  | "protected"
  | "too-wide"
  /** Wide: it must be typed again. */
  | "confirm"
  /** Customers use it: it is written only if it is chosen. */
  | "customer"
  /** Nothing in the line looks like an address. */
  | "no-address"
  /** A typing error, or a guess that has suggestions. */
  | "not-an-address"
  | "duplicate"
  /** A problem in another column: its life, its reason, its quotes. */
  | "unreadable"
  /** Any other problem; the message says which. */
  | "refused";

/** A customer that used an address within a week. */
export interface LineOwner {
  readonly customer: string;
  /** In the last hour. */
  readonly requests: number;
}

/** Entries of the other list that meet an address. */
export interface Conflict {
  /** The entry that covers it. */
  readonly by?: { readonly address: string; readonly reason: string } | undefined;
  /** The number of entries inside of it. */
  readonly inside: number;
  /** Requests that these entries decided in the last hour. Undefined: unknown, or an entry decides for others, too. */
  readonly decided?: { readonly requests: number; readonly isAll: boolean } | undefined;
}

/** A verdict of a line. A line with a range `a-b` may have several. */
export interface PreviewedLine {
  readonly line: number;
  readonly text: string;
  readonly address?: string | undefined;
  readonly status: LineStatus;
  /** What to show beside the line. */
  readonly message: string;
  /** Safelist entries inside a range that would be blocked: they stay free. */
  readonly coversSafelisted?: number | undefined;
  /** What the change means for the other list: blocked clients that will pass, or a safelisted client that stays free. */
  readonly conflict?: Conflict | undefined;
  /** The busiest first. */
  readonly owners?: readonly LineOwner[] | undefined;
  /** Lines that were probably meant: several where the line has several addresses. */
  readonly suggestions?: readonly string[] | undefined;
  /** The line has its own duration or reason. */
  readonly saysMore?: boolean | undefined;
}

export interface LinesPreview {
  readonly lines: readonly PreviewedLine[];
  readonly counts: {
    readonly add: number;
    readonly extend: number;
    readonly skip: number;
    readonly invalid: number;
  };
  /** What is written when this is confirmed. */
  readonly willWrite: readonly string[];
  /** Customers were asked for, and an address without one may be a customer's. */
  readonly areCustomersUnknown?: boolean | undefined;
}

/** Lines of one preview; a longer text is previewed in pieces. */
export const mostPreviewed = 2_000;

const kinds: Partial<Record<LineStatus, keyof LinesPreview["counts"]>> = {
  new: "add",
  extends: "extend",
  tags: "extend",
  "no-address": "invalid",
  "not-an-address": "invalid",
  unreadable: "invalid",
};

/** The sum of previewed lines. */
export function sumUp(lines: readonly PreviewedLine[]): Pick<LinesPreview, "counts" | "willWrite"> {
  const counts = { add: 0, extend: 0, skip: 0, invalid: 0 };
  const willWrite: string[] = [];
  for (const { status, address } of lines) {
    const kind = kinds[status] ?? "skip";
    counts[kind]++;
    if (address !== undefined && (kind === "add" || kind === "extend")) willWrite.push(address);
  }
  return { counts, willWrite };
}
