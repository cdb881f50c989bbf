import { LoaderCircle } from "lucide-react";
import { classes } from "./classes.ts";

/** @param label what is loading, if no text beside it says so */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const icon = <LoaderCircle className={classes("animate-spin", className)} />;
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-text-2">
      {icon}
      {label}
    </span>
  );
}
