import { dehydrate, hydrate, QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it, vi } from "vitest";
import { freshMs } from "./query.ts";

const queryKey = ["rows"];
const asked = (client: QueryClient) => {
  const queryFn = vi.fn(async () => "from the browser");
  const observer = new QueryObserver(client, { queryKey, queryFn });
  return { queryFn, stop: observer.subscribe(() => {}) };
};

function browser(dataUpdateCount: number, dataUpdatedAt: number): QueryClient {
  const server = new QueryClient();
  server.setQueryData(queryKey, "from the server", { updatedAt: dataUpdatedAt });
  const { queries } = dehydrate(server);
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: freshMs } } });
  hydrate(client, {
    queries: queries.map((query) => ({ ...query, state: { ...query.state, dataUpdateCount } })),
  });
  return client;
}

it("keeps data that came with the page for as long as a page may take to arrive", () => {
  const { queryFn, stop } = asked(browser(0, Date.now() - 10_000));
  expect(queryFn).not.toHaveBeenCalled();
  stop();
});

it("fetches again what the browser itself has fetched before, and what came long ago", () => {
  for (const client of [browser(1, Date.now() - 10_000), browser(0, Date.now() - 60_000)]) {
    const { queryFn, stop } = asked(client);
    expect(queryFn).toHaveBeenCalledOnce();
    stop();
  }
});
