import { Copy } from "lucide-react";
import { useCopy } from "@/components/console/use-copy.ts";
import { Button } from "@/components/ui/button.tsx";
import { Card } from "@/components/ui/card.tsx";
import type { CustomerNow } from "@/lib/queries/customer.ts";
import type { AddressesRead } from "../addresses/denied-banner.tsx";
import type { DayNow } from "../day/usage-card.tsx";
import { replyTo } from "./reply-words.ts";

interface ReplyCardProps {
  now: CustomerNow;
  told: DayNow;
  addresses: AddressesRead;
  /** The limits and counts are those of an earlier moment. */
  isStale: boolean;
}

/** A sentence for the customer, made of facts. It names no staff, no reasons and no rules. */
export function ReplyCard({ now, told: { read }, addresses, isStale }: ReplyCardProps) {
  const copy = useCopy();
  const reply = isStale
    ? undefined
    : replyTo(now, read.error ? undefined : read.data, addresses.error ? undefined : addresses.data);
  return (
    <Card title="Reply to the customer" hint="from current counters">
      {reply ? (
        <div className="flex flex-col items-start gap-2">
          <p className="text-body wrap-anywhere">{reply}</p>
          <Button icon={<Copy />} onClick={() => copy(reply, "the reply")}>
            Copy reply
          </Button>
        </div>
      ) : (
        <p className="text-cell text-text-3">{whyNot(now, isStale)}</p>
      )}
    </Card>
  );
}

function whyNot({ usage, mode }: CustomerNow, isStale: boolean): string {
  if (isStale || usage === null) return "The usage is unknown now.";
  if (mode !== "enforce") return `The mode is ${mode}: no limit denies a request.`;
  return "No enforced limit counts this customer.";
}
