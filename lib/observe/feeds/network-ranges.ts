import { DomainError } from "../../errors.ts";
import type { NetworkRanges } from "../../manage/feeds/refresh.ts";
import type { Networks } from "../networks/networks.ts";

/** Ranges of an AS or a country in the data on networks. */
export function rangesIn(networks: () => Networks): NetworkRanges {
  return async (source) => {
    const data = networks();
    await data.refresh();
    const blocks = data.rangesOf(source.kind === "as" ? { asn: source.asn } : { country: source.code });
    if (!blocks) throw new DomainError("not-configured", "There are no data on networks. Set SLUICE_MMDB.");
    const wanted = source.kind === "as" ? "as" : "country";
    const from = data.sources.find(({ has, isLoaded }) => isLoaded && (has === wanted || has === "both"));
    return { blocks, madeAt: from?.madeAt?.toISOString() ?? "unknown" };
  };
}
