import { useStanding } from "@/components/console/status.tsx";
import { ConnectCard } from "./connect-card.tsx";
import { Tiles } from "./tiles.tsx";

/** The page without a connected app: the status, and how to connect one. */
export function Unconnected() {
  const { known } = useStanding();
  return (
    <>
      <Tiles />
      {known && <ConnectCard known={known} />}
    </>
  );
}
