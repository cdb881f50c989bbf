import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";

type Note = NonNullable<CustomerNow["override"]>["note"];

/** Who gave the customer the levels in force, and why. */
export function OverrideNote({ note: { by, at, reason } }: { note: Note }) {
  if (by === undefined && reason === "")
    return <p className="px-3.5 pb-2 text-cell text-text-3">In force now. Author and reason are unknown.</p>;
  return (
    <p className="px-3.5 pb-2 text-cell text-text-3">
      In force now, set by <Untrusted text={by ?? "an unknown author"} max={80} className="text-text-2" />
      {at !== undefined && (
        <>
          {" "}
          <Timestamp at={at} />
        </>
      )}
      {reason !== "" && (
        <>
          : “<Untrusted text={reason} max={200} className="text-text-2" />”
        </>
      )}
    </p>
  );
}
