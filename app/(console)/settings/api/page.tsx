import { Download } from "lucide-react";
import type { Metadata } from "next";
import { ApiReference } from "@/components/settings/api/api-reference.tsx";
import { TokensCard } from "@/components/settings/tokens-card.tsx";
import { buttonLook } from "@/components/ui/button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { openApi } from "@/lib/console/api/openapi.ts";
import { Prefetched, pageRead } from "@/lib/console/prefetch.tsx";
import { requireSignedIn } from "@/lib/console/session/session.ts";
import { getTokens } from "@/lib/console/stored-tokens.ts";
import { may, rolesThatMay } from "@/lib/manage/users/roles.ts";
import { tokens } from "@/lib/queries/tokens.ts";

export const metadata: Metadata = { title: "API" };

/** Tokens, and everything that a token can do. */
export default async function ApiPage() {
  const { role } = await requireSignedIn();
  const mayTokens = may(role, "tokens");
  const facts = mayTokens
    ? "What the console writes, a token can write: the same checks, the same audit log."
    : `Only an ${rolesThatMay("tokens")} can create a token.`;
  return (
    <Prefetched reads={mayTokens ? [pageRead(tokens(), getTokens, {})] : []}>
      <PageHeader
        title="API"
        facts={facts}
        actions={
          <a href="/api/v1/openapi.json" download className={buttonLook("secondary", "md")}>
            <Download />
            openapi.json
          </a>
        }
      />
      {mayTokens && <TokensCard />}
      <ApiReference document={openApi()} />
    </Prefetched>
  );
}
