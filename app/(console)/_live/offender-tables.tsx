"use client";

import { ArrowDown, ArrowRight, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { rateText } from "../../../components/charts/axis-text.ts";
import { Sparkline } from "../../../components/charts/sparkline.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { TableFrame, Td, Th, Tr } from "../../../components/ui/data-table.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { LinkButton } from "../../../components/ui/link-button.tsx";
import { Meter } from "../../../components/ui/meter.tsx";
import { Untrusted } from "../../../components/ui/untrusted.tsx";
import type { Offender } from "../../../lib/queries/offenders.ts";
import { BlockButtons } from "./block-buttons.tsx";
import { clearsText, clientHref, sayCount, sayEstimate, trendOf } from "./offender-words.ts";

interface TableProps {
  offenders: readonly Offender[];
  mayChange: boolean;
  actions?: ReactNode;
  hint?: ReactNode;
}

/** Who is nearest to a limit, or furthest over it, by what is counted now. */
export function CounterTable({ offenders, mayChange, actions, hint }: TableProps) {
  return (
    <Frame title="Top offenders by counter" hint={hint} actions={actions} isEmpty={offenders.length === 0}>
      <thead>
        <tr>
          <Th>Client</Th>
          <Th>Rule</Th>
          <Th>Count / limit</Th>
          <Th isNumber>Resets in</Th>
          <Th isNumber>Block for</Th>
        </tr>
      </thead>
      <tbody>
        {offenders.map((one) => (
          <Tr key={`${one.kind} ${one.client} ${one.rule}`} isDimmed={one.listed !== undefined}>
            <Who offender={one} />
            <Rule offender={one} />
            <Td>
              {one.limit === null ? (
                <span title="The rule is another system's: its limit is not known here">
                  {Math.round(one.used)}
                </span>
              ) : (
                <Meter
                  hasText
                  label={`Count of ${one.client}`}
                  value={Math.round(one.used)}
                  limit={one.limit}
                />
              )}
            </Td>
            <Td isNumber className="whitespace-nowrap text-text-2">
              {clearsText(one)}
            </Td>
            <Act offender={one} reason={sayCount(one)} mayChange={mayChange} />
          </Tr>
        ))}
      </tbody>
    </Frame>
  );
}

/** The same by EARRRL's estimate, which remembers how somebody behaved. */
export function EstimateTable({ offenders, mayChange, actions, hint }: TableProps) {
  return (
    <Frame
      title="Top offenders by EARRRL score"
      hint={hint}
      actions={actions}
      isEmpty={offenders.length === 0}
    >
      <thead>
        <tr>
          <Th>Client</Th>
          <Th isNumber>Est. /s</Th>
          <Th>Against limit</Th>
          <Th>Trend</Th>
          <Th isNumber>Clears in</Th>
          <Th isNumber>Block for</Th>
        </tr>
      </thead>
      <tbody>
        {offenders.map((one) => (
          <Tr key={`${one.kind} ${one.client} ${one.rule}`} isDimmed={one.listed !== undefined}>
            <Who offender={one} />
            <Td isNumber className={one.isOver ? "font-semibold text-blocked" : ""}>
              {rateText(one.used)}
            </Td>
            <Td>
              {one.limit !== null && (
                <Meter label={`Estimate of ${one.client}`} value={one.used} limit={one.limit} />
              )}
            </Td>
            <Td>
              <Trend offender={one} />
            </Td>
            <Td isNumber className={one.isOver ? "whitespace-nowrap" : "text-text-3"}>
              {clearsText(one)}
            </Td>
            <Act offender={one} reason={sayEstimate(one)} mayChange={mayChange} />
          </Tr>
        ))}
      </tbody>
    </Frame>
  );
}

function Frame(props: {
  title: string;
  hint?: ReactNode;
  actions?: ReactNode;
  isEmpty: boolean;
  children: ReactNode;
}) {
  const { title, hint, actions, isEmpty, children } = props;
  return (
    <Card title={title} hint={hint} actions={actions} isFlush>
      {isEmpty ? (
        <p className="px-3.5 pt-1 pb-4 text-cell text-text-3">Nobody is near a limit.</p>
      ) : (
        <TableFrame label={title} isInset>
          {children}
        </TableFrame>
      )}
    </Card>
  );
}

function Who({ offender }: { offender: Offender }) {
  const { kind, client, tool } = offender;
  const href = clientHref(offender);
  const name = <Untrusted text={kind === "customer" ? `customer ${client}` : client} max={46} />;
  return (
    <Td isMono className="whitespace-nowrap">
      <span className="inline-flex items-center gap-2">
        {href ? <TextLink href={href}>{name}</TextLink> : name}
        {tool && <Badge tone="plain">{tool}</Badge>}
      </span>
    </Td>
  );
}

function Rule({ offender: { rule, isShadowed, limit } }: { offender: Offender }) {
  return (
    <Td isMono className="whitespace-nowrap text-text-2">
      <Untrusted text={rule} max={32} />
      {isShadowed && <Badge tone="shadow">shadow</Badge>}
      {limit === null && <Badge tone="plain">other system</Badge>}
    </Td>
  );
}

function Trend({ offender: { history, limit, isOver } }: { offender: Offender }) {
  const trend = trendOf(history);
  const Arrow = trend === "up" ? ArrowUp : trend === "down" ? ArrowDown : ArrowRight;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Sparkline values={history} verdict={isOver ? "blocked" : undefined} limit={limit ?? undefined} />
      <Arrow className="size-3 text-text-3" aria-label={trend === "level" ? "steady" : `going ${trend}`} />
    </span>
  );
}

function Act({ offender, reason, mayChange }: { offender: Offender; reason: string; mayChange: boolean }) {
  const { kind, client, listed } = offender;
  const href = clientHref(offender);
  return (
    <Td className="text-right whitespace-nowrap">
      {kind === "ip" && (
        <BlockButtons address={client} reason={reason} listed={listed} mayChange={mayChange} />
      )}
      {kind === "customer" && href && (
        <LinkButton href={href} size="sm">
          Adjust limits
        </LinkButton>
      )}
    </Td>
  );
}
