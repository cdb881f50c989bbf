"use client";

import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Untrusted } from "@/components/ui/untrusted.tsx";
import type { toolGroups } from "@/lib/enforce/policy/edge-rules.ts";
import { isFields, itemsOf } from "../draft/document.ts";
import {
  ChoiceAt,
  FieldGroup,
  ListAt,
  MessageAt,
  ProblemText,
  SelectField,
  TextAt,
} from "../rules/fields.tsx";
import { usePlace } from "../rules/form-scope.tsx";
import { MatchFields } from "../rules/match-fields.tsx";
import { sentenceOf } from "./request-rules.ts";

/** Every field of a rule that denies or exempts requests. */
export function RequestRuleFields() {
  const { value } = usePlace([]);
  const isExempt = isFields(value) && value.action === "exempt";
  return (
    <div className="flex flex-col gap-4">
      <Said />
      <TextAt path={["name"]} label="Name" isMono />
      <Action />
      <MatchFields
        hint="a request has to match every field that is not empty"
        lists={
          <>
            <ListAt
              path={["match", "userAgents"]}
              label="User agents"
              hint="one word per line; any of them"
            />
            <ListAt path={["match", "feeds"]} label="Feeds" hint="one ID per line" />
            <ListAt path={["match", "countries"]} label="Only countries" hint="two letters, one per line" />
            <ListAt path={["match", "exceptCountries"]} label="Except countries" />
          </>
        }
      >
        <Tools />
        <Headers />
        <VerifiedBot />
      </MatchFields>
      {!isExempt && (
        <FieldGroup title="Answer">
          <ChoiceAt
            path={["response", "status"]}
            label="Status"
            standard={403}
            options={[
              { value: 403, label: "403 Forbidden" },
              { value: 404, label: "404 Not Found" },
              { value: 410, label: "410 Gone" },
              { value: 451, label: "451 Unavailable For Legal Reasons" },
            ]}
          />
          <MessageAt path={["response", "message"]} />
        </FieldGroup>
      )}
    </div>
  );
}

/** What the rule does, and to which requests. */
function Said() {
  const { value } = usePlace([]);
  const said = isFields(value) ? sentenceOf(value) : undefined;
  return (
    <p className="rounded-control border border-border bg-sunken px-3 py-2 text-cell wrap-anywhere">
      {said === undefined ? (
        <span className="text-text-3">What the rule does is shown here once it has no problems.</span>
      ) : (
        <Untrusted text={said} max={600} />
      )}
    </p>
  );
}

/** An exempt rule answers nothing. */
function Action() {
  const rule = usePlace([]);
  const { value, problem, isReadOnly } = usePlace(["action"]);
  const fields = isFields(rule.value) ? rule.value : {};
  const choose = (action: string) => {
    const { response, ...others } = fields;
    rule.put({ ...others, action, ...(action === "deny" && response !== undefined && { response }) });
  };
  return (
    <SelectField
      label="Action"
      value={String(value)}
      onChange={choose}
      options={[
        { value: "deny", label: "Deny" },
        { value: "exempt", label: "Exempt from all limits" },
      ]}
      {...{ problem, isReadOnly }}
    />
  );
}

const toolLabels: Readonly<Record<keyof typeof toolGroups, string>> = {
  scanners: "Scanners: sqlmap, Nikto, Nuclei …",
  libraries: "Libraries: curl, python-requests, Go …",
  headless: "Headless browsers",
  "ai-crawlers": "AI crawlers: GPTBot, ClaudeBot, CCBot …",
  "seo-crawlers": "SEO crawlers: AhrefsBot, SemrushBot …",
};

function Tools() {
  const { value, put, problem, isReadOnly } = usePlace(["match", "tools"], true);
  const chosen = itemsOf(value);
  const set = (group: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, group] : chosen.filter((one) => one !== group);
    put(next.length > 0 ? next : undefined);
  };
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 text-cell text-text-2">Known tools, by their user agents</legend>
      {Object.entries(toolLabels).map(([group, label]) => (
        <Checkbox
          key={group}
          label={label}
          checked={chosen.includes(group)}
          onChange={(isChosen) => set(group, isChosen)}
          isDisabled={isReadOnly}
        />
      ))}
      <ProblemText problem={problem} />
    </fieldset>
  );
}

function VerifiedBot() {
  const { value, put, problem, isReadOnly } = usePlace(["match", "verifiedBot"]);
  return (
    <SelectField
      label="Verified bots"
      hint="as the edge or the app says"
      value={value === undefined ? "any" : String(value)}
      onChange={(picked) => put(picked === "any" ? undefined : picked === "true")}
      options={[
        { value: "any", label: "any request" },
        { value: "true", label: "only verified bots" },
        { value: "false", label: "no verified bots" },
      ]}
      {...{ problem, isReadOnly }}
    />
  );
}

const mostHeaders = 8;

function Headers() {
  const { value, put, problem, isReadOnly } = usePlace(["match", "headers"]);
  const headers = itemsOf(value);
  const set = (next: readonly unknown[]) => put(next.length > 0 ? next : undefined);
  return (
    <div className="flex flex-col gap-3">
      {headers.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a header has no other key than its place.
        <fieldset key={i} aria-label={`Header ${i + 1}`} className="m-0 flex min-w-0 items-start gap-2">
          <div className="grid min-w-0 flex-1 grid-cols-2 items-start gap-2 max-sm:grid-cols-1">
            <HeaderFields place={i} />
          </div>
          {!isReadOnly && (
            <IconButton
              label={`Remove header ${i + 1}`}
              icon={<X />}
              size="lg"
              className="mt-5.5"
              onClick={() => set(headers.filter((_, other) => other !== i))}
            />
          )}
        </fieldset>
      ))}
      <ProblemText problem={problem} />
      {!isReadOnly && headers.length < mostHeaders && (
        <Button
          className="self-start"
          icon={<Plus />}
          onClick={() => set([...headers, { name: "", contains: [""] }])}
        >
          Add header
        </Button>
      )}
    </div>
  );
}

const tests = [
  { value: "contains", label: "contains one of" },
  { value: "is", label: "is one of" },
  { value: "present", label: "is present" },
  { value: "missing", label: "is missing" },
];

function HeaderFields({ place }: { place: number }) {
  const path = ["match", "headers", place];
  const { value, put, problem, isReadOnly } = usePlace(path);
  const { name = "", contains, is, isPresent } = isFields(value) ? value : {};
  const test =
    isPresent === undefined ? (is === undefined ? "contains" : "is") : isPresent ? "present" : "missing";
  const choose = (picked: string) => {
    if (picked === "present" || picked === "missing") put({ name, isPresent: picked === "present" });
    else put({ name, [picked]: itemsOf(contains ?? is).length > 0 ? (contains ?? is) : [""] });
  };
  return (
    <>
      <TextAt path={[...path, "name"]} label="Header" isMono />
      <SelectField
        label="Its value"
        value={test}
        onChange={choose}
        options={tests}
        {...{ problem, isReadOnly }}
      />
      {(test === "contains" || test === "is") && (
        <ListAt
          path={[...path, test]}
          label={test === "contains" ? "Words" : "Values"}
          className="col-span-full"
        />
      )}
    </>
  );
}
