import { Timestamp } from "@/components/ui/timestamp.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { PolicyReply } from "@/lib/queries/policy.ts";

/** Version in force, since when, and who published it. */
export function InForce({ now: { version, at, by } }: { now: PolicyReply }) {
  return (
    <span>
      <span className="font-medium text-text-2">v{version}</span> in force
      {at === undefined ? (
        ", the default of a fresh install"
      ) : (
        <>
          {" since "}
          <Timestamp at={at} />
        </>
      )}
      {by !== undefined && (
        <>
          {" by "}
          <Untrusted text={by} max={80} />
        </>
      )}
    </span>
  );
}
