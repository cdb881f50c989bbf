"use client";

import { useQuery } from "@tanstack/react-query";
import { ReadState } from "@/components/console/read-state.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { customerNow } from "@/lib/queries/customer.ts";
import { CustomerEditor, type CustomerEditorProps } from "./customer-editor.tsx";
import { askEveryMs } from "./draft/use-editor.ts";

interface CustomerScreenProps extends Omit<CustomerEditorProps, "initial"> {
  id: string;
}

/** One customer, once it is read. From then on the editor reads it again. */
export function CustomerScreen({ id, ...editor }: CustomerScreenProps) {
  const read = useQuery({
    ...customerNow(id),
    refetchInterval: ({ state }) => (state.data ? false : askEveryMs),
  });
  if (read.data) return <CustomerEditor initial={read.data} {...editor} />;
  return (
    <>
      <PageHeader back={{ href: "/customers", label: "Customers" }} title={`customer ${id}`} />
      <ReadState read={read} name="the customer" skeleton={<CustomerSkeleton />} isFramed>
        {() => null}
      </ReadState>
    </>
  );
}

/** The columns of the editor. */
function CustomerSkeleton() {
  return (
    <div className="grid items-start gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(300px,36%)]">
      <div className="flex min-w-0 flex-col gap-3">
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-56 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
      <div className="flex min-w-0 flex-col gap-3">
        <Skeleton className="h-44 w-full" />
        <Skeleton className="h-52 w-full" />
      </div>
    </div>
  );
}
