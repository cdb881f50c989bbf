"use client";

import { Check, Eye, PencilLine, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { TableFrame, Td, Th, Tr } from "@/components/ui/data-table.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import { counted, countText } from "@/components/ui/value-text.ts";
import { saySeconds } from "@/lib/enforce/policy/words.ts";
import type { RatesReply } from "@/lib/queries/rates.ts";
import { valueAt } from "../draft/document.ts";
import type { PolicyEditor } from "../draft/use-policy.ts";
import { useTyped } from "../rules/form-scope.tsx";
import {
  differencesOf,
  type Findable,
  type Finder,
  type Hit,
  hitBy,
  saySpan,
  tryInShadow,
  withLimit,
} from "./finder.ts";

interface FindSideProps {
  editor: PolicyEditor;
  finder: Finder;
  chosen: Findable;
  reply: RatesReply;
}

/** Effect of the limit at the line: as a sentence, beside other limits, and with buttons to use it. */
export function FindSide(props: FindSideProps) {
  const { finder, chosen } = props;
  const per = `per ${saySeconds(chosen.periodSeconds)}`;
  return (
    <div className="flex min-w-0 flex-col gap-3 lg:pl-1">
      <Sentence {...props} per={per} />
      <LimitField finder={finder} per={per} />
      <Nearby {...props} per={per} />
      <Share {...props} />
      <Differences {...props} />
      <FindActions {...props} />
    </div>
  );
}

function Sentence({ finder, reply, chosen, per }: FindSideProps & { per: string }) {
  const { limit, span } = finder;
  const hit = hitBy(reply, limit) ?? reply.judged.find((one) => one.limit === limit);
  return (
    <p role="status" className="text-[15px] leading-6 text-text-2">
      At <span className="font-semibold text-text">{`${countText(limit)} ${per}`}</span>:{" "}
      {hit ? (
        <>
          <span className={`font-semibold ${hit.clients > 0 ? "text-throttled" : "text-pass"}`}>
            {counted(hit.clients, "client")}
          </span>
          ,{" "}
          {reply.customersBy === "unknown" ? (
            "customers unknown,"
          ) : (
            <span className={`font-semibold ${hit.customers > 0 ? "text-blocked" : "text-pass"}`}>
              {counted(hit.customers, "customer")}
            </span>
          )}{" "}
          would have been throttled in the last {saySpan(span, chosen)}.
        </>
      ) : (
        "counting …"
      )}
    </p>
  );
}

function LimitField({ finder: { limit, move }, per }: { finder: Finder; per: string }) {
  const [shown, setTyped] = useTyped(limit, limitIn, (value) => String(value));
  return (
    <Field label="Limit" hint={per} className="max-w-44">
      <Input
        inputMode="numeric"
        value={shown}
        onChange={({ target }) => {
          setTyped(target.value);
          const next = limitIn(target.value);
          if (next !== undefined) move(next);
        }}
      />
    </Field>
  );
}

function limitIn(text: string): number | undefined {
  const value = Number(text.trim().replaceAll(",", ""));
  return Number.isSafeInteger(value) && value >= 1 && value <= 1e12 ? value : undefined;
}

function Share({ finder, reply, chosen }: FindSideProps) {
  const judged = reply.judged.find(({ limit }) => limit === finder.limit);
  if (!judged) return <p className="text-cell text-text-3">Counting requests …</p>;
  const { requests, share, closest } = judged;
  return (
    <p className="text-cell text-text-3">
      {chosen.hasCost ? `A cost of ${countText(requests)}` : counted(requests, "request")} denied,{" "}
      {(100 * share).toFixed(1)}% of what the rule counted.
      {closest && (
        <>
          {" "}
          The closest {chosen.kind === "customer" ? "customer" : "client"} under it is{" "}
          <Untrusted text={closest.client} max={64} className="font-mono" />, at {countText(closest.peak)}.
        </>
      )}{" "}
      Counted as if this rule alone were enforced, without slack.
      {chosen.isBroad && " Requests of a window's last second can count in the next window."}
    </p>
  );
}

/** Where the answer can differ from what the rule would do, in amber. */
function Differences({ finder, reply, chosen }: FindSideProps) {
  const said = differencesOf(chosen, finder.span, reply);
  if (said.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-cell text-throttled">
      {said.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

export function FindActions({ editor, finder, chosen }: FindSideProps) {
  const [said, setSaid] = useState("");
  if (!editor.mayEdit) return null;
  const { limit } = finder;
  const wanted = `${countText(limit)} per ${saySeconds(chosen.periodSeconds)}`;
  const shadow = () => {
    const { name } = tryInShadow(editor.draft.policy, chosen, limit);
    editor.edit((policy) => tryInShadow(policy, chosen, limit).policy);
    setSaid(
      `In the draft: ${name} counts ${wanted} in shadow. Publish it to see which clients it would deny.`,
    );
  };
  const put = () => {
    editor.edit((policy) => withLimit(policy, chosen, limit));
    setSaid(`In the draft: ${chosen.rule} has ${wanted}.`);
  };
  return (
    <div className="mt-auto flex flex-wrap gap-2">
      <p role="status" className="w-full text-cell text-text-2">
        {editor.standing.isEdited && said}
      </p>
      <Button variant="primary" size="lg" icon={<Eye />} onClick={shadow} className="flex-1">
        Try in shadow
      </Button>
      <Button
        size="lg"
        icon={<PencilLine />}
        disabledReason={limit === chosen.limit ? "The draft already has this limit" : undefined}
        onClick={put}
      >
        Add to the draft
      </Button>
    </div>
  );
}

/** Effect that other limits would have had. */
function Nearby({ editor, finder, chosen, reply, per }: FindSideProps & { per: string }) {
  const inForce = editor.draft.base.rules.find(({ name }) => name === chosen.rule);
  const limitInForce = valueAt(inForce, ["levels", chosen.level, "limit"]);
  const rows = withInForce(reply, limitInForce).toSorted((a, b) => b.limit - a.limit);
  return (
    <TableFrame label="Nearby limits" className="rounded-control!" isBusy={finder.isBehind}>
      <thead>
        <tr>
          <Th>Nearby limits</Th>
          <Th isNumber>Clients</Th>
          <Th isNumber>Customers</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ limit, clients, customers }) => (
          <Tr key={limit} isSelected={limit === finder.limit}>
            <Td>
              <button
                type="button"
                onClick={() => finder.move(limit)}
                className="mr-2 min-h-6 rounded-control text-left whitespace-nowrap hover:underline max-sm:min-h-11"
              >
                <span className="font-semibold">{countText(limit)}</span>{" "}
                <span className="text-text-3">{per}</span>
              </button>
              {limit === limitInForce && <Badge tone="plain">in force</Badge>}
            </Td>
            <Td isNumber className={clients > 0 ? "text-throttled" : ""}>
              {countText(clients)}
            </Td>
            <Td isNumber className={customers > 0 ? "text-blocked" : "text-pass"}>
              {reply.customersBy === "unknown" ? (
                <span className="text-text-3">unknown</span>
              ) : (
                <span className="inline-flex items-center gap-1.5">
                  {customers > 0 ? <TriangleAlert className="size-3.5" /> : <Check className="size-3.5" />}
                  {countText(customers)}
                </span>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </TableFrame>
  );
}

interface NearbyLimit extends Hit {
  readonly limit: number;
}

/** Adds the limit in force, for comparison. */
function withInForce(reply: RatesReply, limit: unknown): readonly NearbyLimit[] {
  if (typeof limit !== "number" || reply.judged.some((one) => one.limit === limit)) return reply.judged;
  const hit = hitBy(reply, limit);
  return hit ? [...reply.judged, { limit, ...hit }] : reply.judged;
}
