/** Something that a `Schedule` will do. */
export interface Task {
  cancel(): void;
}

/** What a part of a process does by the clock, all of it on one timer, which keeps no process alive. */
export class Schedule {
  /** When each task is due, by performance.now(). */
  readonly #dueAt = new Map<() => void, number>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  #isClosed = false;

  once(ms: number, run: () => void): Task {
    const task = () => {
      this.#dueAt.delete(task);
      run();
    };
    return this.#plan(task, ms);
  }

  /** The pause between two turns is asked for after each. */
  every(ms: number | (() => number), run: () => void): Task {
    const pauseMs = typeof ms === "number" ? () => ms : ms;
    const task = () => {
      this.#plan(task, pauseMs());
      run();
    };
    return this.#plan(task, pauseMs());
  }

  /** Nothing that was planned, or will be, happens any more. */
  close(): void {
    this.#isClosed = true;
    this.#dueAt.clear();
    clearTimeout(this.#timer);
  }

  #plan(task: () => void, ms: number): Task {
    if (this.#isClosed) return { cancel() {} };
    this.#dueAt.set(task, performance.now() + ms);
    this.#wakeIn(ms);
    return { cancel: () => void this.#dueAt.delete(task) };
  }

  #wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#wakesAt) return;
    clearTimeout(this.#timer);
    this.#wakesAt = at;
    this.#timer = setTimeout(() => this.#wake(), ms).unref();
  }

  #wake(): void {
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    // A timer may be early by less than a millisecond.
    const due = [...this.#dueAt].filter(([, at]) => at <= now + 1).map(([task]) => task);
    try {
      for (const task of due) if (this.#dueAt.has(task)) task();
    } finally {
      if (this.#dueAt.size > 0)
        this.#wakeIn(Math.max(1, Math.min(...this.#dueAt.values()) - performance.now()));
    }
  }
}

/** Jittered by a fifth, so that a fleet that started together does not ask together. */
export function jittered(ms: number): number {
  return ms * (0.8 + Math.random() * 0.4);
}
