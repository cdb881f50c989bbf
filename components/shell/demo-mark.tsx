"use client";

import { FlaskConical } from "lucide-react";
import { useStanding } from "@/components/console/status.tsx";
import { Badge } from "@/components/ui/badge.tsx";

/** Shown while the console serves the data of `npm run demo` or `npm run dev`. */
export function DemoMark() {
  const { known } = useStanding();
  if (!known?.isDemo) return null;
  return (
    <span title="Demonstration data">
      <Badge tone="plain" icon={<FlaskConical />} isLarge>
        <span className="max-lg:sr-only">Demonstration data</span>
        <span aria-hidden className="lg:hidden">
          Demo
        </span>
      </Badge>
    </span>
  );
}
