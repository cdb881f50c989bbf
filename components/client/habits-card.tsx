import { HabitPart, HabitShares } from "@/components/console/habit-shares.tsx";
import { HabitsCard } from "@/components/console/habits-card.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { ClientReply } from "@/lib/queries/client.ts";
import { sayNoSamples } from "./client-words.ts";

/** What the client requests, with its fingerprints and customers. */
export function RequestsCard({ told }: { told: ClientReply }) {
  const { customers, fingerprints } = told;
  return (
    <HabitsCard habits={told}>
      <HabitShares habits={told} none={sayNoSamples(told)} />
      <HabitPart
        title="Standard fingerprints"
        hint="host:path:method:address:user agent"
        items={fingerprints.standard}
        isMono
      />
      <HabitPart title="Broad fingerprints" hint="address:user agent" items={fingerprints.broad} isMono />
      {customers.length > 0 && (
        <section className="mt-3 border-t border-border pt-3 text-cell">
          <h3 className="mb-1 text-text-3">Customers</h3>
          <p className="flex flex-wrap gap-x-3 gap-y-1">
            {customers.map(({ text }) => (
              <TextLink key={text} href={`/customers/${encodeURIComponent(text)}`}>
                <Untrusted text={text} max={40} />
              </TextLink>
            ))}
          </p>
        </section>
      )}
    </HabitsCard>
  );
}
