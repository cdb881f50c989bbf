import { NodesCard } from "./nodes-card.tsx";
import { RulesCard } from "./rules-card.tsx";

/** Nodes and rules: the end of the page. */
export function Fleet() {
  return (
    <>
      <NodesCard />
      <RulesCard />
    </>
  );
}
