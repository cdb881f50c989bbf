import { countText } from "./value-text.ts";

interface ProgressBarProps {
  /** Accessible name. */
  label: string;
  done: number;
  of: number;
}

/** Progress as a bar and in numbers. */
export function ProgressBar({ label, done, of }: ProgressBarProps) {
  return (
    <div className="flex flex-col gap-2 text-cell text-text-2">
      <progress
        aria-label={label}
        value={done}
        max={Math.max(1, of)}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-track [&::-moz-progress-bar]:bg-text-2 [&::-webkit-progress-bar]:bg-track [&::-webkit-progress-value]:bg-text-2"
      />
      <p>{`${countText(done)} of ${countText(of)}`}</p>
    </div>
  );
}
