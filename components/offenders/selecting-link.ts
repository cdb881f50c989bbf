const parameter = "select";

/** The page of offenders, with these clients selected. */
export function selectingLink(clients: readonly string[]): string {
  if (clients.length === 0) return "/offenders";
  return `/offenders?${parameter}=${clients.map(encodeURIComponent).join(",")}`;
}

/** Takes the clients to select out of a URL. */
export function takeSelected(url: URL): readonly string[] {
  const named = url.searchParams.get(parameter)?.split(",") ?? [];
  url.searchParams.delete(parameter);
  return named.filter((client) => client !== "");
}
