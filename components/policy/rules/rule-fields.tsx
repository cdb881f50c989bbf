"use client";

import { Checkbox } from "@/components/ui/checkbox.tsx";
import { isAlgorithm, models } from "@/lib/enforce/algorithms/algorithms.ts";
import { isFields } from "../draft/document.ts";
import { ClientFields } from "./client-fields.tsx";
import {
  ChoiceAt,
  FieldGroup,
  FlagAt,
  ListAt,
  MessageAt,
  NumberAt,
  ProblemText,
  SelectField,
  TextAt,
} from "./fields.tsx";
import { useEditor, usePlace } from "./form-scope.tsx";
import { RuleLevels } from "./levels-fields.tsx";
import { MatchFields } from "./match-fields.tsx";
import { sentence, slackOf } from "./rule-words.ts";
import { convertedLevels } from "./rules.ts";

/** Every field of a rule. */
export function RuleFields() {
  return (
    <div className="flex flex-col gap-4">
      <TextAt path={["name"]} label="Name" isMono />
      <Counting />
      <MatchFields hint="empty fields match everything" />
      <Answer />
      <Ban />
      <More />
    </div>
  );
}

function Counting() {
  const rule = usePlace([]);
  const { value, problem, isReadOnly } = usePlace(["algorithm"]);
  const now = typeof value === "string" ? value : "";
  const choose = (algorithm: string) => {
    const fields = isFields(rule.value) ? rule.value : {};
    rule.put({ ...fields, algorithm, levels: convertedLevels(fields.levels, algorithm) });
  };
  return (
    <FieldGroup title="Counting">
      <ClientFields />
      <SelectField
        label="Counted in"
        value={now}
        onChange={choose}
        options={Object.entries(models).map(([name, { words }]) => ({ value: name, label: words }))}
        {...{ problem, isReadOnly }}
      />
      <RuleLevels algorithm={now} />
      <CountWhen isFitting={isAlgorithm(now) && models[now].findsUsed} />
      <Slack />
      <Cost />
    </FieldGroup>
  );
}

/** Which requests are counted, by how they end. Shown where the algorithm can wait for that, or where the rule says it. */
function CountWhen({ isFitting }: { isFitting: boolean }) {
  const { value, put, problem, isReadOnly } = usePlace(["countWhen"], true);
  const kind = value === undefined ? "all" : value === "failed" ? "failed" : "status";
  if (!isFitting && value === undefined) return null;
  return (
    <>
      <SelectField
        label="Counts"
        value={kind}
        onChange={(picked) => put(countings[picked])}
        options={[
          { value: "all", label: "every request" },
          { value: "failed", label: "requests that the app calls failed" },
          { value: "status", label: "responses with a status" },
        ]}
        problem={kind === "status" ? undefined : problem}
        isReadOnly={isReadOnly}
      />
      {kind === "status" && <ListAt path={["countWhen", "status"]} label="Statuses" areNumbers />}
    </>
  );
}

const countings: Readonly<Record<string, unknown>> = {
  all: undefined,
  failed: "failed",
  status: { status: [401, 403] },
};

/** Slack in numbers, for the nodes that run now. */
function Slack() {
  const editor = useEditor();
  const { value } = usePlace([]);
  const slack = isFields(value) ? slackOf(editor, value) : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <NumberAt
        path={["slack"]}
        label="Slack"
        standard={0}
        hint="share of the limit by which all nodes together may exceed it, so that few requests wait for Redis; 0 is exact"
      />
      {slack !== undefined && <p className="text-cell text-text-2">{sentence(slack)}</p>}
    </div>
  );
}

function Cost() {
  const { value, put, isReadOnly } = usePlace(["cost"]);
  const isAsked = value === "request";
  return (
    <div className="grid grid-cols-2 items-end gap-3 max-sm:grid-cols-1">
      {!isAsked && <NumberAt path={["cost"]} label="Cost of a request" standard={1} />}
      <Checkbox
        checked={isAsked}
        onChange={(isChecked) => put(isChecked ? "request" : 1)}
        label="The app sets the cost of a request"
        isDisabled={isReadOnly}
      />
    </div>
  );
}

function Answer() {
  return (
    <FieldGroup title="Answer">
      <ChoiceAt
        path={["response", "status"]}
        label="Status"
        standard={429}
        options={[
          { value: 429, label: "429 Too Many Requests" },
          { value: 503, label: "503 Service Unavailable" },
        ]}
      />
      <MessageAt path={["response", "message"]} />
    </FieldGroup>
  );
}

const firstBan = { after: 20, withinSeconds: 600, forSeconds: 3_600, capSeconds: 86_400 };

function Ban() {
  const { value, put, problem, isReadOnly } = usePlace(["ban"]);
  const hasBan = value !== undefined;
  return (
    <FieldGroup title="Ban" hint="blocks addresses that keep exceeding this rule">
      <Checkbox
        checked={hasBan}
        onChange={(isChecked) => put(isChecked ? firstBan : undefined)}
        label="Ban clients that keep exceeding this rule"
        isDisabled={isReadOnly}
      />
      <ProblemText problem={problem} />
      {hasBan && (
        <div className="grid grid-cols-2 items-start gap-3">
          <NumberAt path={["ban", "after"]} label="After denials" />
          <NumberAt path={["ban", "withinSeconds"]} label="Within" unit="s" />
          <NumberAt path={["ban", "forSeconds"]} label="First ban" unit="s" />
          <NumberAt path={["ban", "capSeconds"]} label="Longest ban" unit="s" />
        </div>
      )}
    </FieldGroup>
  );
}

function More() {
  return (
    <FieldGroup title="More">
      <ChoiceAt
        path={["onStoreError"]}
        label="When Redis is away"
        standard="open"
        options={[
          { value: "open", label: "open: requests pass" },
          { value: "closed", label: "closed: requests are denied" },
          { value: "model", label: "model: each node counts separately" },
        ]}
      />
      <NumberAt path={["ipv6Prefix"]} label="IPv6 network size" standard={64} unit="bits" />
      <FlagAt
        path={["requireBasic"]}
        standard={false}
        label="Deny an Authorization header without a Basic user (400)"
      />
    </FieldGroup>
  );
}
