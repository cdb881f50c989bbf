const longest = 512;

/** A part of a long text, which the engine would keep whole for as long as the part is kept, as a text of its own. */
export function partOf(whole: string, part: string): string {
  return whole.length <= longest || whole === part ? part : Buffer.from(part, "utf16le").toString("utf16le");
}
