"use client";

import { CalendarRange } from "lucide-react";
import dynamic from "next/dynamic";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { rangeNames } from "@/lib/queries/overview.ts";
import { useLive } from "./use-live.tsx";

/** Loaded after the page, which does not wait for it. Until then it takes no press, which would be lost. */
const CustomRange = dynamic(() => import("./custom-range.tsx").then((module) => module.CustomRange), {
  ssr: false,
  loading: () => (
    <Button disabled icon={<CalendarRange />} aria-label="Custom period" className="max-sm:w-11">
      <span className="max-sm:sr-only">Custom</span>
    </Button>
  ),
});

/** The shown time: a period up to now, or any other. */
export function RangeControls() {
  const { range, zoom, look } = useLive();
  return (
    <>
      <Segmented
        label="Period"
        className="max-sm:[&_label]:px-1.5"
        value={zoom ? "zoom" : range}
        onChange={(picked) => picked !== "zoom" && look({ range: picked, zoom: undefined })}
        options={rangeNames.map((name) => ({ value: name as typeof name | "zoom", label: name }))}
      />
      <CustomRange />
    </>
  );
}
