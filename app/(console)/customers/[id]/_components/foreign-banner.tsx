import { TriangleAlert } from "lucide-react";
import { Banner } from "../../../../../components/ui/banner.tsx";
import { Untrusted } from "../../../../../components/ui/untrusted.tsx";
import type { CustomerNow } from "../../../../../lib/queries/customer.ts";
import { sayLevel } from "../../level-words.ts";

/** What another hand wrote into Redis and nodes do not obey, and what they obey instead. */
export function ForeignBanner({ now: { flags, levels } }: { now: CustomerNow }) {
  if (flags.length === 0) return null;
  const obeyed = levels ? levels.map(sayLevel).join(", ") : "no level: it counts as anonymous, by address";
  return (
    <Banner
      tone="throttled"
      icon={<TriangleAlert />}
      title={`Not all that stands in Redis is obeyed. In force: ${obeyed}`}
    >
      <ul className="flex flex-col gap-0.5">
        {flags.map((flag) => (
          <li key={flag}>
            <Untrusted text={flag} max={300} />
          </li>
        ))}
      </ul>
    </Banner>
  );
}
