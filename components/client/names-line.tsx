import { useQuery } from "@tanstack/react-query";
import { Badge } from "@/components/ui/badge.tsx";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { type ClaimedBot, claimedBots } from "@/lib/observe/networks/claimed-bots.ts";
import { clientNames } from "@/lib/queries/networks.ts";

interface NamesLineProps {
  client: string;
  /** Of its recent requests. */
  userAgents: readonly string[];
}

const freshMs = 600_000;
const notRead = { outcome: "unanswered", names: [], isPartly: false } as const;

/** Names of a client by DNS, and whether it is the search bot that it claims to be. */
export function NamesLine({ client, userAgents }: NamesLineProps) {
  const { data, isError } = useQuery({ ...clientNames(client), staleTime: freshMs, retry: false });
  if (!data && !isError) return null;
  const { names, outcome } = data ?? notRead;
  return (
    <>
      {names.map(({ name, isConfirmed }) => (
        <span key={name} className="text-text-3" title={isConfirmed ? "Confirmed by DNS" : notConfirmed}>
          <Untrusted text={name} max={80} className="font-mono text-meta" />
          {!isConfirmed && " (not confirmed)"}
        </span>
      ))}
      {outcome === "unanswered" && <span className="text-text-3">DNS name unknown: no answer</span>}
      {claimedBots(userAgents, data ?? notRead).map((bot) => (
        <BotBadge key={bot.name} bot={bot} />
      ))}
    </>
  );
}

const notConfirmed =
  "This name does not lead back to the address. The owner of the address can write any name.";

function BotBadge({ bot: { name, is } }: { bot: ClaimedBot }) {
  if (is === "verified")
    return (
      <Badge tone="safelisted" icon={toneIcon("safelisted")}>
        {name} verified
      </Badge>
    );
  if (is === "fake")
    return (
      <Badge tone="throttled" icon={toneIcon("throttled")}>
        Fake {name}
      </Badge>
    );
  return <Badge tone="plain">{name} not checked</Badge>;
}
