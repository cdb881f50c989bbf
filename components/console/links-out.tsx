import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight } from "lucide-react";
import { linkTo } from "@/lib/manage/links/link-template.ts";
import { type LinkRow, links } from "@/lib/queries/links.ts";
import { retryEvery } from "./use-live.tsx";

interface LinksOutProps {
  kind: LinkRow["kind"];
  /** Address, range or customer's id. */
  id: string;
}

/** Links to other systems about one client or customer, as the settings have them. */
export function LinksOut({ kind, id }: LinksOutProps) {
  const { data, error } = useQuery({ ...links(), refetchInterval: retryEvery });
  if (error) return <span className="text-text-3">Links failed to load</span>;
  return (data?.links ?? [])
    .filter((link) => link.kind === kind)
    .map(({ name, template }) => <ExternalLink key={name} href={linkTo(kind, template, id)} text={name} />);
}

/** Opens another site in a new tab, which learns nothing of this page. */
export function ExternalLink({ href, text }: { href: string; text: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex items-center gap-0.5 rounded-sm py-1 text-text-2 underline decoration-border-2 underline-offset-2 wrap-anywhere hover:decoration-current"
    >
      {text}
      <ArrowUpRight className="size-3 shrink-0" aria-label="opens in a new tab" />
    </a>
  );
}
