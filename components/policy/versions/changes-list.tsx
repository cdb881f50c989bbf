import { Untrusted } from "@/components/ui/untrusted.tsx";

/** Changes between two versions, one sentence each. */
export function ChangesList({ changes, label }: { changes: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="flex flex-col gap-1.5 text-cell">
      {changes.map((sentence) => (
        <li key={sentence} className="rounded-control bg-sunken px-2.5 py-1.5">
          <Untrusted text={sentence} max={400} />
        </li>
      ))}
    </ul>
  );
}
