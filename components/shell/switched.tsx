import { Timestamp } from "../ui/timestamp.tsx";
import { Untrusted } from "../ui/untrusted.tsx";

export interface SwitchedProps {
  at: string | null;
  by: string | null;
  reason: string;
  /** Where that is not said beside it. */
  to?: "on" | "off";
}

/** Who switched something, when and why. */
export function Switched({ at, by, reason, to }: SwitchedProps) {
  return (
    <>
      Switched {to && `${to} `}
      {at && <Timestamp at={at} />} by <Untrusted text={by ?? "somebody"} max={80} />
      {reason === "" ? (
        ", without a reason."
      ) : (
        <>
          : “<Untrusted text={reason} max={300} />
          ”.
        </>
      )}
    </>
  );
}
