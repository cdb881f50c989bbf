/** What a link leads away from: the page of a client, or of a customer. */
export const linkSubjects = ["client", "customer"] as const;
export type LinkSubject = (typeof linkSubjects)[number];

/** Where the address or the customer's id goes in a template. */
export const placeholders: Readonly<Record<LinkSubject, string>> = { client: "{ip}", customer: "{customer}" };

const longestTemplate = 500;
const longestName = 30;

/** Why a name cannot be that of a link. */
export function linkNameProblem(name: string): string | undefined {
  return /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,28}[\p{L}\p{N}])?$/u.test(name)
    ? undefined
    : `A name has letters, digits, spaces and . _ - only, at most ${longestName}`;
}

/** Why a text cannot be the template of a link. Links of foreign writers are checked, too, before they are shown. */
export function linkProblem(kind: LinkSubject, template: string): string | undefined {
  const placeholder = placeholders[kind];
  if (template.length > longestTemplate) return `A link has at most ${longestTemplate} characters`;
  if (!/^[!-~]+$/.test(template)) return "A link has no spaces and no letters outside of ASCII";
  if (!template.includes(placeholder)) return `A link contains ${placeholder}`;
  if (/[{}]/.test(template.replaceAll(placeholder, ""))) return `A link has no braces except ${placeholder}`;
  const [one, other] = [parsed(linkTo(kind, template, "a")), parsed(linkTo(kind, template, "b"))];
  if (!one || !other) return "Write a whole URL, such as https://logs.example.org/?q=…";
  if (one.protocol !== "https:" && !(one.protocol === "http:" && isLocal(one.hostname)))
    return "A link begins with https:// (http:// only for localhost)";
  if (one.username !== "" || one.password !== "") return "A link has no user and no password";
  return one.origin === other.origin ? undefined : `${placeholder} comes after the host`;
}

/** The link of one client or customer. */
export function linkTo(kind: LinkSubject, template: string, id: string): string {
  return template.replaceAll(placeholders[kind], () => encodeURIComponent(id));
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function isLocal(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
