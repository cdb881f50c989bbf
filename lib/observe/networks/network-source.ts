import type { Block } from "../../ip/block.ts";
import type { NetworkFacts } from "./network-facts.ts";

/** Facts about one address or range. */
export interface FoundNetwork {
  readonly facts?: NetworkFacts | undefined;
  /** The addresses of a range are not of one network. */
  readonly isSeveral?: true;
}

/** Data on networks that is in memory. */
export interface NetworkSource {
  find(block: Block): FoundNetwork;
  /** Whether it names networks by this fact. */
  readonly gives: { readonly country: boolean; readonly as: boolean };
  /** The ranges of all networks with such facts, in turns. */
  ranges(isWanted: (facts: NetworkFacts) => boolean): AsyncGenerator<Block>;
}
