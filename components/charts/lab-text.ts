/** A moment of a run: `1:20`, `1:00:05`, with tenths of a second unless 0: `0:59.2`. */
export function momentText(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const whole = Math.floor(tenths / 10);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const minuteText = hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}` : String(minutes);
  const part = tenths % 10 === 0 ? "" : `.${tenths % 10}`;
  return `${minuteText}:${String(whole % 60).padStart(2, "0")}${part}`;
}

/** `20 s`, `3.3 s`, `151 s`, `25 min`, `1.5 h`. */
export function spanText(seconds: number): string {
  if (seconds >= 3_600) return `${short(seconds / 3_600)} h`;
  if (seconds >= 600) return `${short(seconds / 60)} min`;
  return `${seconds < 10 ? short(seconds) : Math.round(seconds)} s`;
}

/** A period: `60 s`, `90 s`, `5 min`, `1 h`. */
export function periodText(seconds: number): string {
  if (seconds >= 3_600 && seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} min`;
  return `${short(seconds)} s`;
}

/** Tick of a time axis, in minutes if its steps are whole minutes. */
export function axisTimeText(seconds: number, stepSeconds: number): string {
  return stepSeconds % 60 === 0 ? short(seconds / 60) : short(seconds);
}

const steps = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

/** Step of a time axis with about five ticks. */
export function timeStep(spanSeconds: number): number {
  return steps.find((step) => spanSeconds / step <= 6) ?? 7_200;
}

export function ticksBetween(from: number, until: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.floor(until / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step);
}

const numbers = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 2 });

function short(value: number): string {
  return numbers.format(value);
}

const countSteps = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000, 2_500, 5_000];

/** Whole numbers from 0 to the first step at or above `top`. */
export function countTicks(top: number): number[] {
  const step = countSteps.find((each) => top / each <= 4) ?? 10_000;
  return ticksBetween(0, Math.max(1, Math.ceil(top / step)) * step, step);
}
