import type { Failure } from "@/lib/console/failure.ts";

/** Why the request failed, unless a field shows it. */
export function Refusal({ failure }: { failure: Failure | undefined }) {
  if (!failure || Object.keys(failure.fields).length > 0) return null;
  return (
    <p role="alert" className="text-cell text-blocked">
      {failure.message}
    </p>
  );
}
