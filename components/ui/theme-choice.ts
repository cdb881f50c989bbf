export const themes = ["system", "light", "dark"] as const;
/** "system" follows the browser. */
export type Theme = (typeof themes)[number];

export const themeCookie = "sluice.theme";

export function readTheme(text: string | undefined): Theme {
  return themes.find((theme) => theme === text) ?? "system";
}
