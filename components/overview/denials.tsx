import { useRef, useState } from "react";
import { FeedCard, longestFilter } from "./feed-card.tsx";
import { TopPathsCard } from "./top-paths-card.tsx";

/** Denied paths, and the latest denials. A path becomes the filter of the denials. */
export function Denials() {
  const [typed, setTyped] = useState("");
  const feed = useRef<HTMLDivElement>(null);
  const pick = (path: string) => {
    // Part of a path is enough.
    setTyped(path.slice(0, longestFilter));
    feed.current?.scrollIntoView({ block: "nearest" });
  };
  return (
    <>
      <TopPathsCard onPick={pick} />
      <div ref={feed}>
        <FeedCard typed={typed} setTyped={setTyped} />
      </div>
    </>
  );
}
