/** Key that moves the focus to the notices. */
export const noticesKey = "F8";
