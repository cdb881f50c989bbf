import { CircleAlert } from "lucide-react";

/** Why the sign-in failed. */
export function Trouble({ says }: { says: string | undefined }) {
  if (!says) return null;
  return (
    <p
      role="alert"
      className="flex gap-2 rounded-control border border-blocked-bd bg-blocked-bg px-3 py-2 text-cell text-blocked"
    >
      <CircleAlert />
      <span className="min-w-0">{says}</span>
    </p>
  );
}
