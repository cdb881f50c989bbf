/** Opens another document. Never resolves, so that the caller stays busy until this document is gone. */
export function leave(to: string): Promise<never> {
  location.assign(to);
  return new Promise(() => {});
}
