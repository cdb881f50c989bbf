import { ArrowUp } from "lucide-react";
import { Address } from "@/components/console/address.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { classes } from "@/components/ui/classes.ts";
import { Td } from "@/components/ui/data-table.tsx";
import { TextLink } from "@/components/ui/link.tsx";
import { Meter } from "@/components/ui/meter.tsx";
import { useNow } from "@/components/ui/now.ts";
import { toneIcon } from "@/components/ui/tone-icon.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { countText, durationText, rateText } from "@/components/ui/value-text.ts";
import type { Offender, OffenderReading } from "@/lib/queries/offenders.ts";
import type { Status } from "@/lib/queries/status.ts";
import {
  clearsText,
  clientHref,
  decidingEntry,
  perSecondText,
  stateOf,
  underLimit,
} from "./offender-words.ts";

/** From this rate on, denials of one client are red, in requests per second. */
const manyDenied = 30;

const secondLine = "block text-meta text-text-3";

/** Columns that only a wide table has. The others say what these say. */
export const wideOnly = "@max-[70rem]/rows:hidden";

interface CellProps {
  offender: Offender;
  /** A held row that has left the table. */
  isGone: boolean;
}

/** Address, tool and customers; below them network and app. */
export function Who({ offender }: CellProps) {
  const { kind, client, tool, app } = offender;
  const href = clientHref(offender);
  const name = <Untrusted text={kind === "customer" ? `customer ${client}` : client} max={46} />;
  const tag = tool && <Badge tone="plain">{tool}</Badge>;
  return (
    <Td className="h-11.25 py-1 wrap-anywhere [grid-area:who]">
      <span className="flex min-w-36 flex-wrap items-center gap-x-2 gap-y-0.5 font-mono font-medium stacked:min-h-6 stacked:text-[15px]">
        {kind === "ip" ? (
          <Address address={client} max={46} hasNetwork={false}>
            {tag}
          </Address>
        ) : (
          <>
            {href ? <TextLink href={href}>{name}</TextLink> : name}
            {tag}
          </>
        )}
      </span>
      <span className={classes(secondLine, "flex min-w-0 gap-x-1")}>
        {kind === "ip" && (
          <Address address={client} hasLink={false} hasOwner={false} networkClassName="max-w-72!" />
        )}
        {app !== "" && (
          <span className="shrink-0 not-first:before:mr-1 not-first:before:content-['·']">
            <Untrusted text={app} max={40} />
          </span>
        )}
      </span>
    </Td>
  );
}

export function Rates({ offender: { requestsPerSecond, deniedPerSecond } }: CellProps) {
  return (
    <>
      <Td isNumber className="whitespace-nowrap [grid-area:requests] stacked:hidden!">
        {perSecondText(requestsPerSecond)}
        <span className="hidden text-text-3 cards:inline"> requests/s</span>
      </Td>
      <Td
        isNumber
        className={classes(
          "whitespace-nowrap [grid-area:denied]",
          deniedPerSecond === 0 ? "text-text-3" : "font-semibold",
        )}
      >
        <span className={deniedPerSecond >= manyDenied ? "text-blocked" : undefined}>
          {perSecondText(deniedPerSecond)}
        </span>
        <span className="hidden font-normal text-text-3 cards:inline"> denied/s</span>
      </Td>
    </>
  );
}

/** The counter, or the entry that decides before any counter. */
export function Counter({ offender, isGone }: CellProps) {
  const { counter, estimate, client } = offender;
  const listed = decidingEntry(offender);
  if (listed?.list === "blocklist")
    return (
      <Td className="py-1 [grid-area:meter]">
        <span className="block">
          entry{" "}
          <TextLink href={`/blocklist?q=${encodeURIComponent(listed.address)}`} className="font-mono">
            {listed.address}
          </TextLink>
        </span>
        <span
          className={classes(secondLine, "max-w-52 truncate @max-[70rem]/rows:max-w-40 cards:max-w-none")}
        >
          {listed.reason === "" ? "no reason given" : <Untrusted text={listed.reason} max={80} />}
          <span className="hidden cards:inline">
            {" · "}
            <ExpiryWords expiresAt={listed.expiresAt} />
          </span>
        </span>
      </Td>
    );
  return (
    <Td className="py-1 [grid-area:meter]">
      {counter ? <Count counter={counter} client={client} /> : <span className="text-text-3">–</span>}
      <span className={classes(secondLine, "font-mono")}>
        {counter && <Untrusted text={counter.rule} max={32} />}
        {estimate && (
          <span className="hidden font-sans @max-[70rem]/rows:inline">
            {`${counter ? " · " : ""}est. ${perSecondText(estimate.used)} /s`}
          </span>
        )}
        {!isGone && clearsText(offender) !== "–" && (
          <span className="hidden font-sans cards:inline">
            {` · ${clearsText(offender) === underLimit ? "" : "clears in "}${clearsText(offender)}`}
          </span>
        )}
      </span>
    </Td>
  );
}

function Count({ counter: { used, limit }, client }: { counter: OffenderReading; client: string }) {
  const count = Math.round(used);
  if (limit === null)
    return (
      <span
        className="flex items-center gap-2"
        title="This rule belongs to another system. Its limit is unknown."
      >
        {countText(count)}
        <Badge tone="plain">other system</Badge>
      </span>
    );
  const tone =
    used > limit
      ? "text-blocked font-semibold"
      : used >= limit
        ? "text-throttled font-semibold"
        : "text-text";
  return (
    <span className="flex items-center gap-2">
      <Meter label={`Count of ${client}`} value={count} limit={limit} className="w-23 shrink-0" />
      <span className="whitespace-nowrap text-text-3">
        <span className={tone}>{countText(count)}</span>
        {` / ${countText(limit)}`}
      </span>
    </span>
  );
}

export function Estimate({ offender: { estimate } }: CellProps) {
  return (
    <Td isNumber className={classes("py-1 whitespace-nowrap cards:hidden!", wideOnly)}>
      {estimate ? (
        <>
          <span className={estimate.isOver ? "font-semibold text-blocked" : undefined}>
            {perSecondText(estimate.used)}
          </span>
          <span className="text-text-3"> /s</span>
          {estimate.limit !== null && (
            <span className={secondLine}>{`limit ${rateText(estimate.limit)}`}</span>
          )}
        </>
      ) : (
        <span className="text-text-3">–</span>
      )}
    </Td>
  );
}

export function Clears({ offender, isGone }: CellProps) {
  const listed = decidingEntry(offender);
  const text = clearsText(offender);
  return (
    <Td isNumber className="py-1 whitespace-nowrap cards:hidden!">
      {isGone ? (
        <span title="No longer in this table. The values are the last known.">gone</span>
      ) : listed?.list === "blocklist" ? (
        <Expiry expiresAt={listed.expiresAt} />
      ) : (
        <span className={text === underLimit ? "text-text-3" : undefined}>{text}</span>
      )}
    </Td>
  );
}

interface ExpiryProps {
  expiresAt: number | null | undefined;
}

function Expiry({ expiresAt }: ExpiryProps) {
  const now = useNow();
  if (expiresAt === undefined) return <span className="text-text-3">–</span>;
  if (expiresAt === null) return <span className="text-text-3">never expires</span>;
  return (
    <>
      {durationText(expiresAt - now)}
      <span className={secondLine}>expires</span>
    </>
  );
}

/** The same within a line. */
function ExpiryWords({ expiresAt }: ExpiryProps) {
  const now = useNow();
  if (expiresAt === undefined) return "expiry not read yet";
  return expiresAt === null ? "never expires" : `expires in ${durationText(expiresAt - now)}`;
}

export function State({ offender, mode }: { offender: Offender; mode: Status["mode"] | undefined }) {
  const { tone, text } = stateOf(offender, mode);
  const { counter, estimate } = offender;
  const listed = decidingEntry(offender);
  const rule = counter?.isOver ? counter.rule : estimate?.isOver ? estimate.rule : undefined;
  return (
    <Td className="[grid-area:state]">
      <span title={listed ? `By ${listed.list} entry ${listed.address}` : rule && `By rule ${rule}`}>
        <Badge tone={tone} icon={tone === "plain" ? nearIcon(offender) : toneIcon(tone)}>
          {text}
        </Badge>
      </span>
    </Td>
  );
}

const nearIcon = ({ standing }: Offender) => (standing === "near" ? <ArrowUp /> : undefined);
