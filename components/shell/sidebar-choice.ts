export const sidebarChoices = ["full", "rail"] as const;
/** "rail" shows icons only. Undefined while the width of the window decides. */
export type SidebarChoice = (typeof sidebarChoices)[number];

export const sidebarCookie = "sluice.sidebar";

export function readSidebarChoice(text: string | undefined): SidebarChoice | undefined {
  return sidebarChoices.find((choice) => choice === text);
}
