"use client";

import { useStanding } from "../../../../components/shell/status.tsx";
import { Banner } from "../../../../components/ui/banner.tsx";
import { Timestamp } from "../../../../components/ui/timestamp.tsx";

/** The log cannot be read now; what was read stays. An outage of Redis or of the console the shell tells by itself. */
export function ReadTrouble({ error, readAt }: { error: Error; readAt: number | undefined }) {
  const { trouble } = useStanding();
  if (trouble) return null;
  return (
    <Banner tone="blocked" title={error.message}>
      {readAt === undefined ? (
        "It is read as soon as that is possible again."
      ) : (
        <>
          What is shown is of <Timestamp at={readAt} />. It goes on by itself.
        </>
      )}
    </Banner>
  );
}
