import { DomainError } from "../errors.ts";

/** What somebody has to mend before bans work again, in words. That Redis is away is told elsewhere, once an outage. */
export function troubleOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const isForPeople =
    error instanceof DomainError || /^(NOPERM|WRONGTYPE|OOM|MISCONF|ERR)\b/.test(error.message);
  return isForPeople ? error.message.replace(/\.+$/, "") : undefined;
}
