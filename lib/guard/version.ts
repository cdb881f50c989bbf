/** What a node reports of itself; equal to package.json's version. */
export const version = "0.1.0";
