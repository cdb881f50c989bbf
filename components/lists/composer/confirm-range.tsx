"use client";

import { useState } from "react";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { countText } from "@/components/ui/value-text.ts";
import { parseAddress } from "@/lib/ip/parse.ts";

interface ConfirmRangeProps {
  readonly range: string;
  readonly onConfirm: (range: string) => void;
}

/** Field in which a wide range is typed again to confirm it. */
export function ConfirmRange({ range, onConfirm }: ConfirmRangeProps) {
  const [typed, setTyped] = useState("");
  const type = (text: string) => {
    setTyped(text);
    const parsed = parseAddress(text);
    if (parsed.ok && parsed.value === range) onConfirm(range);
  };
  return (
    <Field label={`Type ${range} again`} hint={sizeOf(range)}>
      <Input isMono value={typed} onChange={(event) => type(event.target.value)} placeholder={range} />
    </Field>
  );
}

/** "16,384 addresses"; IPv6 is counted in /64 networks, the usual size for one customer. */
export function sizeOf(range: string): string {
  const [address = "", length = "32"] = range.split("/");
  if (!address.includes(":")) return `${countText(2 ** (32 - Number(length)))} addresses`;
  return `${countText(2 ** Math.max(0, 64 - Number(length)))} networks of /64`;
}
