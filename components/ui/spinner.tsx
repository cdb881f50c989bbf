import { LoaderCircle } from "lucide-react";

/** @param label what is loading, if no text beside it says so */
export function Spinner({ label }: { label?: string }) {
  const icon = <LoaderCircle className="animate-spin" />;
  if (!label) return icon;
  return (
    <span role="status" className="inline-flex items-center gap-1.5 text-text-2">
      {icon}
      {label}
    </span>
  );
}
