import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";

interface SwitchedProps {
  at: string | null;
  by: string | null;
  reason: string;
  /** Left out if the text beside it has it. */
  to?: "on" | "off";
}

/** User who switched, with time and reason. */
export function Switched({ at, by, reason, to }: SwitchedProps) {
  return (
    <>
      Switched {to && `${to} `}
      {at && <Timestamp at={at} />} by <Untrusted text={by ?? "an unknown user"} max={80} />
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
