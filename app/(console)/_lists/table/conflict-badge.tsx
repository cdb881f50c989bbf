import { TriangleAlert } from "lucide-react";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Link } from "../../../../components/ui/link.tsx";
import { toneIcon } from "../../../../components/ui/tone-icon.tsx";
import { Untrusted } from "../../../../components/ui/untrusted.tsx";
import type { ListedEntry } from "../../../../lib/queries/entries.ts";
import type { ListName } from "../../../../lib/redis/keys.ts";

/** Whether an entry does nothing, or overrules another: said on the row itself, with the way there. */
export function ConflictBadge({
  list,
  entry: { other, flag, address },
}: {
  list: ListName;
  entry: ListedEntry;
}) {
  if (flag !== undefined) {
    return (
      <Badge tone="throttled" icon={<TriangleAlert />}>
        <span className="truncate">
          Not obeyed: <Untrusted text={flag} max={120} />
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

/** An entry that nodes do not follow is drawn as such. */
export function isInForce(list: ListName, { other, flag }: ListedEntry): boolean {
  return flag === undefined && !(list === "blocklist" && other !== undefined);
}
