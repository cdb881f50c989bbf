"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "@/components/console/form-dialog.tsx";
import { useSettled } from "@/components/console/use-settled.ts";
import { aWeek, type Expiry, ttlOf } from "@/components/lists/composer/expiry.ts";
import { ExpiryField } from "@/components/lists/composer/expiry-field.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { Dialog } from "@/components/ui/dialog.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { Select } from "@/components/ui/select.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import { counted } from "@/components/ui/value-text.ts";
import { saveOverride } from "@/lib/console/actions/overrides.ts";
import { groupMembers, type OverrideRow, type OverridesReply } from "@/lib/queries/overrides.ts";
import { sayTier } from "../customer-words.ts";
import { addedRow, readRows, rowsOf } from "../draft/level-rows.ts";
import { LevelsField } from "./levels-field.tsx";
import { EffectPane } from "./override-effect.tsx";
import { idsIn, isPattern } from "./override-words.ts";
import { useOverrideChange } from "./use-override-change.ts";

const settledMs = 500;
/** Fields that show their own problem. */
const shown = ["name", "members", "tier", "reason"];

interface OverrideDialogProps {
  /** Undefined for a new one. */
  readonly override?: OverrideRow | undefined;
  readonly found: Pick<OverridesReply, "tiers" | "olderNodes">;
  readonly onClose: () => void;
}

/** Loads the customers of a group before its form is shown. */
export function OverrideDialog(props: OverrideDialogProps) {
  const { override, onClose } = props;
  const isGroup = override !== undefined && !isPattern(override.name);
  const { data, error } = useQuery({ ...groupMembers(override?.name ?? ""), enabled: isGroup, staleTime: 0 });
  if (!isGroup || data) return <OverrideForm {...props} ids={data?.ids ?? []} />;
  return (
    <Dialog isOpen onClose={onClose} title={`Change ${override.name}`}>
      <p role={error ? "alert" : "status"} className="text-cell text-text-2">
        {error ? `The customers of the group failed to load. ${error.message}` : "Loading its customers…"}
      </p>
    </Dialog>
  );
}

/** Gives limits to a group or a pattern. Shows what they would do before anything is written. */
function OverrideForm({
  override,
  found,
  ids,
  onClose,
}: OverrideDialogProps & { readonly ids: readonly string[] }) {
  const [kind, setKind] = useState<"pattern" | "group">(
    override && !isPattern(override.name) ? "group" : "pattern",
  );
  const [name, setName] = useState(override?.name ?? "");
  const [members, setMembers] = useState(ids.join("\n"));
  const [by, setBy] = useState<"limits" | "tier">(override?.tier == null ? "limits" : "tier");
  const [rows, setRows] = useState(() => (override?.levels ? rowsOf(override.levels) : [addedRow([])]));
  const [tier, setTier] = useState(override?.tier ?? found.tiers[0]?.name ?? "");
  const [expiry, setExpiry] = useState<Expiry>({ ...aWeek, preset: "never" });
  const [isEndKept, setIsEndKept] = useState(override != null && override.expiresAt !== null);
  const [reason, setReason] = useState("");
  const [isOldIgnored, setIsOldIgnored] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const { change, isBusy, failure } = useOverrideChange(onClose);
  const read = readRows(rows);
  const levels = by === "limits" ? read.levels : found.tiers.find((one) => one.name === tier)?.levels;
  const inGroup = kind === "group" ? idsIn(members) : [];
  const asked = JSON.stringify({ name: name.trim(), levels: levels ?? [], members: inGroup });
  const settled = useSettled(asked, settledMs);
  const isOldMet = found.olderNodes.length > 0;
  const submit = async () => {
    setIsTried(true);
    const ttl = ttlOf(expiry, true);
    if (levels === undefined || !ttl.ok) return;
    await change(`${name} ${override ? "changed" : "added"}`, () =>
      saveOverride({
        ...{ name, reason, evenWithOldNodes: isOldIgnored },
        ...(by === "limits"
          ? { levels: levels.map(({ limit, periodSeconds }) => ({ limit, periodSeconds })) }
          : { tier }),
        ...(!isEndKept && { expiresInMs: ttl.value }),
        ...(kind === "group" && { members: inGroup }),
      }),
    );
  };
  const fields = failure?.fields ?? {};
  return (
    <FormDialog
      title={override ? `Change ${override.name}` : "Add override"}
      description="A customer's own override wins, then groups by name, then the pattern with most letters."
      submitLabel={override ? "Save override" : "Add override"}
      onSubmit={submit}
      isReady={name.trim() !== "" && reason.trim() !== ""}
      {...{ isBusy, failure, onClose }}
      isShown={(field) => shown.includes(field)}
      aside={
        <EffectPane
          asked={settled}
          isReady={settled === asked && name.trim() !== "" && levels !== undefined}
        />
      }
    >
      {!override && (
        <Field label="Applies to">
          <Segmented
            label="Applies to"
            value={kind}
            onChange={setKind}
            options={[
              { value: "pattern", label: "Pattern of ids" },
              { value: "group", label: "Group" },
            ]}
          />
        </Field>
      )}
      {!override && (
        <Field
          label={kind === "pattern" ? "Pattern" : "Name of the group"}
          hint={kind === "pattern" ? "* is any text: premium_*" : "small letters, digits, _ and -"}
          error={fields.name}
        >
          <Input
            isMono
            spellCheck={false}
            autoComplete="off"
            value={name}
            maxLength={80}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
      )}
      {kind === "group" && (
        <Field
          label="Customers"
          hint={`one id a line, ${counted(inGroup.length, "customer")}`}
          error={fields.members}
        >
          <Textarea
            isMono
            spellCheck={false}
            rows={5}
            value={members}
            onChange={({ target }) => setMembers(target.value)}
          />
        </Field>
      )}
      <Field label="Gives">
        <Segmented
          label="Gives"
          value={by}
          onChange={setBy}
          options={[
            { value: "limits", label: "Limits" },
            { value: "tier", label: "A tier" },
          ]}
        />
      </Field>
      {by === "limits" ? (
        <LevelsField rows={rows} read={read} isTried={isTried} onChange={(next) => setRows([...next])} />
      ) : (
        <Field label="Tier" error={fields.tier}>
          <Select
            label="Tier"
            value={tier}
            onChange={setTier}
            options={found.tiers.map((one) => ({ value: one.name, label: sayTier(one.name) }))}
          />
        </Field>
      )}
      {override != null && override.expiresAt !== null && (
        <Checkbox checked={isEndKept} onChange={setIsEndKept} label="Keep its end" />
      )}
      {!isEndKept && <ExpiryField expiry={expiry} mayForever onChange={setExpiry} />}
      <Field label="Reason" hint="required" error={fields.reason}>
        <Input
          value={reason}
          aria-required
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      {isOldMet && (
        <Checkbox
          checked={isOldIgnored}
          onChange={setIsOldIgnored}
          label={`Save although ${counted(found.olderNodes.length, "node")} of an older version ignore it`}
        />
      )}
    </FormDialog>
  );
}
