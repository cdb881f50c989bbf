import { Download } from "lucide-react";
import type { Metadata } from "next";
import { ApiReference } from "@/components/settings/api/api-reference.tsx";
import { buttonLook } from "@/components/ui/button.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { openApi } from "@/lib/console/api/openapi.ts";
import { requireSignedIn } from "@/lib/console/session/session.ts";

export const metadata: Metadata = { title: "API" };

const back = { href: "/settings", label: "Settings" };

/** Everything that a token can do. */
export default async function ApiPage() {
  await requireSignedIn();
  return (
    <>
      <PageHeader
        title="API"
        back={back}
        facts="What the console writes, a token can write: the same checks, the same audit log."
        actions={
          <a href="/api/v1/openapi.json" download className={buttonLook("secondary", "lg")}>
            <Download />
            openapi.json
          </a>
        }
      />
      <ApiReference document={openApi()} />
    </>
  );
}
