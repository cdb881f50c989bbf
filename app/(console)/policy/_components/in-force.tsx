import { Timestamp } from "../../../../components/ui/timestamp.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { PolicyReply } from "../../../../lib/queries/policy.ts";

/** Which version, since when, by whom. */
export function InForce({ now: { version, at, by } }: { now: PolicyReply }) {
  return (
    <span>
      <span className="font-medium text-text-2">v{version}</span> in force
      {at === undefined ? (
        ", what a fresh install begins with"
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
