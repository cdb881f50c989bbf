/** Paths of SLUICE_MMDB, separated by commas. */
export function filesOf(setting: string | undefined): string[] {
  return (setting ?? "").split(",").flatMap((path) => path.trim() || []);
}
