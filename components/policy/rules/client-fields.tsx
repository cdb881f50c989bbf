"use client";

import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { isFields, itemsOf, type Path } from "../draft/document.ts";
import { FlagAt, NumberAt, SelectField, TextAt } from "./fields.tsx";
import { usePlace } from "./form-scope.tsx";
import { clientWords } from "./rule-words.ts";

const plain = Object.entries(clientWords).map(([value, label]) => ({ value, label }));
const named = [
  { value: "header", label: "header" },
  { value: "cookie", label: "cookie" },
  { value: "code", label: "named by code" },
];
const network = { value: "network", label: "network of the IP" };
const together = { value: "all", label: "several combined" };

/** What the rule counts by: one part, or several combined. */
export function ClientFields() {
  const { value, put, isReadOnly } = usePlace(["client"]);
  const parts = isFields(value) && "all" in value ? itemsOf(value.all) : undefined;
  return (
    <div className="flex flex-col gap-3">
      <PartFields path={["client"]} label="Counted by" kinds={[...plain, network, ...named, together]} />
      {parts?.map((_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other key than its place.
        <div key={i} className="flex items-end gap-2 pl-4">
          <div className="min-w-0 flex-1">
            <PartFields
              path={["client", "all", i]}
              label={`Part ${i + 1}`}
              kinds={[...plain, network, ...named]}
            />
          </div>
          {!isReadOnly && parts.length > 2 && (
            <IconButton
              label={`Remove part ${i + 1}`}
              icon={<X />}
              size="lg"
              onClick={() => put({ all: parts.filter((_, other) => other !== i) })}
            />
          )}
        </div>
      ))}
      {parts && parts.length < 4 && !isReadOnly && (
        <Button className="ml-4 self-start" icon={<Plus />} onClick={() => put({ all: [...parts, "path"] })}>
          Add part
        </Button>
      )}
    </div>
  );
}

interface PartFieldsProps {
  path: Path;
  label: string;
  kinds: readonly { readonly value: string; readonly label: string }[];
}

function PartFields({ path, label, kinds }: PartFieldsProps) {
  const { value, put, problem, isReadOnly } = usePlace(path);
  const kind = kindOf(value);
  return (
    <div className="grid grid-cols-2 items-start gap-3">
      <SelectField
        label={label}
        value={kind}
        onChange={(picked) => put(clientOf(picked))}
        options={kinds}
        {...{ problem, isReadOnly }}
      />
      {named.some((one) => one.value === kind) && (
        <TextAt path={[...path, kind]} label={`Name of the ${kind}`} isMono />
      )}
      {kind === network.value && (
        <>
          <NumberAt
            path={[...path, "ip", "v4"]}
            label="IPv4 network"
            unit="bits"
            standard={24}
            hint="16 to 32"
          />
          <NumberAt
            path={[...path, "ip", "v6"]}
            label="IPv6 network"
            unit="bits"
            standard={48}
            hint="32 to 64"
          />
        </>
      )}
      {(kind === "header" || kind === "cookie") && (
        <div className="col-span-2">
          <FlagAt path={[...path, "show"]} label="Show its values to all users of the console" />
        </div>
      )}
    </div>
  );
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (isFields(value) && "ip" in value) return network.value;
  return isFields(value) ? (Object.keys(value).find((name) => name !== "show") ?? "") : "";
}

function clientOf(kind: string): unknown {
  if (kind === network.value) return { ip: { v4: 24, v6: 48 } };
  if (kind === "all") return { all: ["ip", "path"] };
  return named.some((one) => one.value === kind) ? { [kind]: "" } : kind;
}
