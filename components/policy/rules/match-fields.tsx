"use client";

import type { ReactNode } from "react";
import { ChoiceAt, FieldGroup, FlagAt, ListAt, ProblemText } from "./fields.tsx";
import { usePlace } from "./form-scope.tsx";

interface MatchFieldsProps {
  hint: string;
  /** Lists that only rules of this kind have. */
  lists?: ReactNode;
  /** Other fields that only rules of this kind have. */
  children?: ReactNode;
}

/** Which requests a rule is for. */
export function MatchFields({ hint, lists, children }: MatchFieldsProps) {
  const { problem } = usePlace(["match"]);
  return (
    <FieldGroup title="Which requests" hint={hint}>
      <ProblemText problem={problem} />
      <ChoiceAt
        path={["match", "who"]}
        label="Who"
        standard="anyone"
        options={[
          { value: "anyone", label: "anyone" },
          { value: "anonymous", label: "anonymous requests" },
          { value: "customers", label: "customers" },
        ]}
      />
      <div className="grid grid-cols-2 items-start gap-3 max-sm:grid-cols-1">
        {lists}
        <ListAt path={["match", "only"]} label="Only paths" />
        <ListAt path={["match", "except"]} label="Except paths" />
        <ListAt path={["match", "apps"]} label="Only apps" />
        <ListAt path={["match", "exceptApps"]} label="Except apps" />
        <ListAt path={["match", "methods"]} label="Only methods" />
      </div>
      {children}
      <FlagAt path={["match", "anyExtension"]} label="Only paths also match with a file extension" />
      <FlagAt path={["match", "serverAction"]} label="Only requests that may run a Server Action of Next" />
    </FieldGroup>
  );
}
