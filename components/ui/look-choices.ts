/** Choices of the look. A cookie remembers each, so that the server renders it and no other look shows first. */

const themes = ["system", "light", "dark"] as const;
/** "system" follows the browser. */
export type Theme = (typeof themes)[number];

export const themeCookie = "sluice.theme";

export function readTheme(text: string | undefined): Theme {
  return themes.find((theme) => theme === text) ?? "system";
}

const sidebarChoices = ["full", "rail"] as const;
/** "rail" shows icons only. Undefined while the width of the window decides. */
export type SidebarChoice = (typeof sidebarChoices)[number];

export const sidebarCookie = "sluice.sidebar";

export function readSidebarChoice(text: string | undefined): SidebarChoice | undefined {
  return sidebarChoices.find((choice) => choice === text);
}

const oneYearSeconds = 31_536_000;

export function rememberChoice(cookie: string, choice: Theme | SidebarChoice): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing over plain http.
  document.cookie = `${cookie}=${choice}; path=/; max-age=${oneYearSeconds}; samesite=lax`;
}
