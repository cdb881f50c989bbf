import { TriangleAlert } from "lucide-react";
import { Badge } from "@/components/ui/badge.tsx";
import { Link } from "@/components/ui/link.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { ListEntry } from "@/lib/queries/entries.ts";
import type { ListName } from "@/lib/redis/keys.ts";

/** Marks an entry without effect, or one that wins over another, with a link to the other entry. */
export function ConflictBadge({
  list,
  entry: { other, flag, address },
}: {
  list: ListName;
  entry: ListEntry;
}) {
  if (flag !== undefined) {
    return (
      <Badge tone="throttled" icon={<TriangleAlert />}>
        <span className="truncate">
          Not enforced: <Untrusted text={flag} max={120} />
        </span>
      </Badge>
    );
  }
  if (!other) return null;
  const words = list === "blocklist" ? "Safelist wins" : "Wins over the blocklist";
  return (
    <Link href={`/${other.list}?q=${encodeURIComponent(other.address)}`} className="min-w-0 rounded-badge">
      <Badge tone="safelisted" icon={toneIcon("safelisted")}>
        <span className="truncate underline decoration-current/40 underline-offset-2">
          {words}
          {other.address !== address && (
            <>
              : <Untrusted text={other.address} max={60} />
            </>
          )}
        </span>
      </Badge>
    </Link>
  );
}

/** Whether nodes enforce the entry. */
export function isInForce(list: ListName, { other, flag }: ListEntry): boolean {
  return flag === undefined && !(list === "blocklist" && other !== undefined);
}
