"use client";

import { CalendarRange } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Popover } from "@/components/ui/popover.tsx";
import { keptText, readSpan, writeMinute } from "./custom-span.ts";
import { useLive } from "./use-live.tsx";

/** Shows any time that is kept, also one in the past. It is the zoom of the chart, so it is part of the URL. */
export function CustomRange() {
  const [isOpen, setIsOpen] = useState(false);
  const { zoom } = useLive();
  return (
    <Popover
      label="Custom period"
      width={300}
      align="end"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button
          icon={<CalendarRange />}
          aria-label="Custom period"
          className={zoom ? "border-text-3 bg-raised max-sm:w-11" : "max-sm:w-11"}
        >
          <span className="max-sm:sr-only">Custom</span>
        </Button>
      }
    >
      <SpanForm onDone={() => setIsOpen(false)} />
    </Popover>
  );
}

const hourMs = 3_600_000;

function SpanForm({ onDone }: { onDone: () => void }) {
  const { zoom, look } = useLive();
  const [from, setFrom] = useState(() => writeMinute(zoom?.from ?? Date.now() - hourMs));
  const [until, setUntil] = useState(() => writeMinute(zoom?.until ?? Date.now()));
  const [problem, setProblem] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readSpan(from, until, Date.now());
    if ("problem" in read) return setProblem(read.problem);
    look({ zoom: read.span });
    onDone();
  };
  const fill = (span: { from: number; until: number }) => {
    setFrom(writeMinute(span.from));
    setUntil(writeMinute(span.until));
    setProblem(undefined);
  };
  const yesterday = (Math.floor(Date.now() / (24 * hourMs)) - 1) * 24 * hourMs;
  const hour = Math.floor(Date.now() / hourMs - 24) * hourMs;
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <Field label="From" hint="UTC">
        <Input
          type="datetime-local"
          className="w-full"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
      </Field>
      <Field label="Until" hint="UTC" error={problem}>
        <Input
          type="datetime-local"
          className="w-full"
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
      </Field>
      <div className="flex flex-wrap gap-1.5">
        <Button size="sm" onClick={() => fill({ from: hour, until: hour + hourMs })}>
          This hour yesterday
        </Button>
        <Button size="sm" onClick={() => fill({ from: yesterday, until: yesterday + 24 * hourMs })}>
          Yesterday
        </Button>
      </div>
      <p className="text-meta text-text-3">{keptText}</p>
      <div className="flex justify-end gap-2">
        {zoom && (
          <Button
            variant="ghost"
            onClick={() => {
              look({ zoom: undefined });
              onDone();
            }}
          >
            Back to live
          </Button>
        )}
        <Button type="submit" variant="primary">
          Show
        </Button>
      </div>
    </form>
  );
}
