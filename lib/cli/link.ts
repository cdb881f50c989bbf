import { DomainError } from "../errors.ts";
import { type LinkSubject, linkSubjects } from "../manage/links/link-template.ts";

/** The kind and the name of a link, as they are typed. */
export function linkOf(text: string, name: string): { readonly kind: LinkSubject; readonly name: string } {
  const kind = linkSubjects.find((one) => one === text);
  if (kind) return { kind, name };
  throw new DomainError("bad-input", "Links are of client or customer.", { kind: "client or customer" });
}
