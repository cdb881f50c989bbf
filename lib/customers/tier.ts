/** Reads a customer's tier, which anybody may have written; nothing when no policy can have a tier of that name. */
export function readTier(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return /^[a-z][a-z0-9_-]{0,31}$/.test(name) ? name : undefined;
}
