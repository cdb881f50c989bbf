import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { may, rolesThatMay } from "../../../../lib/auth/roles.ts";
import { parseCustomerId } from "../../../../lib/customers/id.ts";
import { viewCustomer } from "../../../../lib/customers/view.ts";
import { theConsole } from "../../../_server/console.ts";
import { requireSignedIn } from "../../../_server/session.ts";
import { toNow } from "../../../api/customers/[id]/now.ts";
import { countsOf } from "../../../api/customers/counts.ts";
import { CustomerEditor } from "./_components/customer-editor.tsx";

interface CustomerPageProps {
  params: Promise<{ id: string }>;
}

export async function generateMetadata({ params }: CustomerPageProps): Promise<Metadata> {
  const id = idIn((await params).id);
  return { title: id ? `Customer ${id}` : "No such customer" };
}

/** One customer: its tier, its limits, what it has used, and what would change that. */
export default async function CustomerPage({ params }: CustomerPageProps) {
  const { role } = await requireSignedIn();
  const id = idIn((await params).id);
  if (id === undefined) notFound();
  const console = theConsole();
  const view = await viewCustomer(console.redis, countsOf(console), id);
  return (
    <CustomerEditor
      key={id}
      initial={toNow(view)}
      mayChange={may(role, "customers")}
      whoMay={rolesThatMay("customers")}
    />
  );
}

/** Nothing for what no customer can be called. */
function idIn(part: string) {
  try {
    const text = decodeURIComponent(part);
    const parsed = parseCustomerId(text);
    return parsed.ok && parsed.value === text ? parsed.value : undefined;
  } catch {
    return undefined;
  }
}
