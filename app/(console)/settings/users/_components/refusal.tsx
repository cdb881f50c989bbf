import type { Failure } from "../../../../_server/failure.ts";

/** Why it did not work, unless it is said beside a field. */
export function Refusal({ failure }: { failure: Failure | undefined }) {
  if (!failure || Object.keys(failure.fields).length > 0) return null;
  return (
    <p role="alert" className="text-cell text-blocked">
      {failure.message}
    </p>
  );
}
