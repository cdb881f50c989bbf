import { TriangleAlert } from "lucide-react";
import { Banner } from "@/components/ui/banner.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import { sayLevel } from "./level-words.ts";

/** Data of another program that nodes do not enforce, and what is in force instead. */
export function ForeignBanner({ now: { flags, levels } }: { now: CustomerNow }) {
  if (flags.length === 0) return null;
  const inForce = levels ? levels.map(sayLevel).join(", ") : "limits for anonymous clients, by customer id";
  return (
    <Banner
      tone="throttled"
      icon={<TriangleAlert />}
      title={`Part of the customer's data in Redis is not enforced. In force: ${inForce}`}
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
