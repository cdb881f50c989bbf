import { type DehydratedState, dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Query } from "../queries/query.ts";
import { inTime } from "./in-time.ts";
import type { Read } from "./read.ts";
import { requireSignedIn, type SignedIn } from "./session/session.ts";

/** A query of a page, and how the server answers it. */
export interface PageRead {
  readonly queryKey: readonly unknown[];
  answer(who: SignedIn): Promise<unknown>;
}

/**
 * A query with the read of its route.
 *
 * @param params the parts of the route's path that are parameters
 * @example
 * pageRead(entries({ list }), getEntries, { list })
 */
export function pageRead<Params>(query: Query<unknown>, read: Read<Params>, params: Params): PageRead {
  return {
    queryKey: query.queryKey,
    async answer(who) {
      const search = Object.fromEntries(new URL(query.path, "http://console").searchParams);
      const found = query.parse(await read.answerTo(who, { params, search }));
      if (found === undefined) throw new Error(`The reply of ${query.path} does not fit its schema.`);
      return found;
    },
  };
}

/** The first page of an infinite query. @param cursor where that page begins; undefined at the start */
export function firstOfPages(
  queryKey: readonly unknown[],
  { answer }: PageRead,
  cursor?: string | undefined,
): PageRead {
  return {
    queryKey,
    answer: async (who) => ({ pages: [await answer(who)], pageParams: [cursor] }),
  };
}

/** A page waits this long for its data. What takes longer, the browser fetches. */
export const pageWaitMs = 300;

/** What the reads answer in time. A read that fails is left out: the browser asks again, and shows why. */
export async function prefetch(who: SignedIn, reads: readonly PageRead[]): Promise<DehydratedState> {
  const client = new QueryClient();
  const answers = reads.map(({ queryKey, answer }) =>
    client.prefetchQuery({ queryKey, queryFn: () => answer(who), retry: false }),
  );
  await inTime(Promise.all(answers), pageWaitMs);
  const { queries, ...state } = dehydrate(client);
  // By its count, the browser knows the data that it has never fetched itself.
  return { ...state, queries: queries.map((query) => ({ ...query, state: uncounted(query.state) })) };
}

const uncounted = (state: DehydratedState["queries"][number]["state"]) => ({ ...state, dataUpdateCount: 0 });

interface PrefetchedProps {
  readonly reads: readonly PageRead[];
  readonly children: ReactNode;
}

/** A page with the data that it shows first, for the signed-in user. */
export async function Prefetched({ reads, children }: PrefetchedProps) {
  const state = await prefetch(await requireSignedIn(), reads);
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

/** The parameters of a page's URL, as Next passes them to the page. */
export type PageSearch = Promise<Record<string, string | string[] | undefined>>;

/** Parameters that occur once. */
export async function readPageSearch(given: PageSearch): Promise<URLSearchParams> {
  const once = Object.entries(await given).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return new URLSearchParams(once);
}
