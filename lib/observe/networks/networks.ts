import { stat } from "node:fs/promises";
import { errorLine } from "../../errors.ts";
import type { Block } from "../../ip/block.ts";
import { specialRange } from "../../ip/special-ranges.ts";
import { AsTable } from "./as-table.ts";
import { type EmbeddedData, type EmbeddedPackage, embeddedData } from "./embedded-data.ts";
import { MmdbFile } from "./mmdb-file.ts";
import { joined, type NetworkFacts } from "./network-facts.ts";
import type { NetworkSource } from "./network-source.ts";

/** What is known of the network of an address or range. */
export interface Network extends NetworkFacts {
  /** What a special range is: "private range", "documentation range". Such an address has no network. */
  readonly special?: string | undefined;
  /** The addresses of a range are of several networks. */
  readonly isSeveral?: true;
}

/** A source of data, for `doctor`. */
export interface SourceState {
  /** Path of a file of the operator, or name of a package. */
  readonly name: string;
  readonly isEmbedded: boolean;
  readonly has: "country" | "as" | "both" | "other";
  readonly madeAt: Date | undefined;
  /** False: no contents so far. */
  readonly isLoaded: boolean;
  /** Why the latest contents were not loaded. Those before stay. */
  readonly failure: string | undefined;
}

export interface NetworksOptions {
  /** MMDB files of the operator. The first that knows a fact wins. */
  readonly files?: readonly string[];
  readonly embedded?: EmbeddedData;
  readonly log?: (line: string) => void;
  readonly now?: () => number;
}

/** Files are examined for changes this often, at a read. */
const examineEveryMs = 10_000;

/**
 * Country, autonomous system and use of addresses, from the operator's MMDB files and, for what these leave out, the embedded data. Its
 * memory is that of the files plus, for the embedded data, at most 60 MB.
 */
export class Networks {
  readonly #files: readonly FileSource[];
  readonly #country: EmbeddedSource | undefined;
  readonly #as: EmbeddedSource | undefined;
  readonly #now: () => number;
  #examinedAt = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;
  #sources: readonly NetworkSource[] = [];
  #isLoaded = false;

  constructor({
    files = [],
    embedded = embeddedData(),
    log = console.warn,
    now = Date.now,
  }: NetworksOptions = {}) {
    this.#files = files.map((path) => new FileSource(path, log));
    const { country, as } = embedded;
    this.#country =
      country &&
      new EmbeddedSource(country, "country", log, async ([file = ""]) => await MmdbFile.load(file));
    this.#as = as && new EmbeddedSource(as, "as", log, (paths) => AsTable.load(paths));
    this.#now = now;
  }

  /** Whether all sources were loaded, or have failed, once. Before that, an unknown fact may become known. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get sources(): readonly SourceState[] {
    const embedded = [this.#country, this.#as].filter((one) => one?.isWanted);
    return [...this.#files, ...embedded].flatMap((one) => (one ? [one.state] : []));
  }

  /** Loads what is new or has changed. Calls at the same time share one run. */
  async refresh(): Promise<void> {
    if (this.#isLoaded && this.#now() - this.#examinedAt < examineEveryMs) return this.#refreshing;
    this.#examinedAt = this.#now();
    this.#refreshing ??= this.#load().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** What is known of an address or range in memory. */
  find(block: Block): Network {
    const special = specialRange(block);
    if (special !== undefined) return { special };
    let network: NetworkFacts | undefined;
    let isSeveral = false;
    for (const source of this.#sources) {
      const found = source.find(block);
      if (found.isSeveral) isSeveral = true;
      else network = joined(network, found.facts);
    }
    return { ...network, ...(isSeveral && { isSeveral }) };
  }

  /** The ranges of an autonomous system or a country, from the first source that names such. Undefined without data. */
  rangesOf(
    wanted: { readonly asn: number } | { readonly country: string },
  ): AsyncGenerator<Block> | undefined {
    const fact = "asn" in wanted ? "as" : "country";
    const source = this.#sources.find(({ gives }) => gives[fact]);
    return source?.ranges((facts) =>
      "asn" in wanted ? facts.asn === wanted.asn : facts.country === wanted.country,
    );
  }

  async #load(): Promise<void> {
    for (const file of this.#files) await file.refresh();
    const gives = this.#files.map(({ contents }) => contents?.gives);
    await this.#country?.refresh(!gives.some((one) => one?.country));
    await this.#as?.refresh(!gives.some((one) => one?.as));
    const loaded = [...this.#files, this.#country, this.#as].map((one) => one?.contents);
    this.#sources = loaded.filter((one) => one !== undefined);
    this.#isLoaded = true;
  }
}

/** A file of the operator. */
class FileSource {
  readonly #path: string;
  readonly #log: (line: string) => void;
  #stamp: string | undefined;
  #failure: string | undefined;
  contents: MmdbFile | undefined;

  constructor(path: string, log: (line: string) => void) {
    this.#path = path;
    this.#log = log;
  }

  get state(): SourceState {
    const { country, as } = this.contents?.gives ?? { country: false, as: false };
    const has = country && as ? "both" : country ? "country" : as ? "as" : "other";
    return {
      ...{ name: this.#path, isEmbedded: false, has, madeAt: this.contents?.builtAt },
      ...{ isLoaded: this.contents !== undefined, failure: this.#failure },
    };
  }

  async refresh(): Promise<void> {
    try {
      const { mtimeMs, ctimeMs, size, ino } = await stat(this.#path);
      const stamp = `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      this.contents = await MmdbFile.load(this.#path);
      this.#failure = undefined;
    } catch (error) {
      const failure = errorLine(error);
      const rest = this.contents ? "Its last contents are used." : "It is not used.";
      if (failure !== this.#failure)
        this.#log(`sluice: SLUICE_MMDB: ${this.#path} failed to load. ${rest} ${errorLine(error)}`);
      this.#failure = failure;
    }
  }
}

/** Data of a package. It is in memory only while no file of the operator has the same. */
class EmbeddedSource {
  readonly #data: EmbeddedPackage;
  readonly #has: "country" | "as";
  readonly #log: (line: string) => void;
  readonly #open: (files: readonly string[]) => Promise<NetworkSource>;
  #failure: string | undefined;
  isWanted = true;
  contents: NetworkSource | undefined;

  constructor(
    data: EmbeddedPackage,
    has: "country" | "as",
    log: (line: string) => void,
    open: (files: readonly string[]) => Promise<NetworkSource>,
  ) {
    this.#data = data;
    this.#has = has;
    this.#log = log;
    this.#open = open;
  }

  get state(): SourceState {
    const { name, madeAt } = this.#data;
    return {
      ...{ name, isEmbedded: true, has: this.#has, madeAt },
      ...{ isLoaded: this.contents !== undefined, failure: this.#failure },
    };
  }

  async refresh(isWanted: boolean): Promise<void> {
    this.isWanted = isWanted;
    if (!isWanted) this.contents = undefined;
    if (!isWanted || this.contents || this.#failure !== undefined) return;
    try {
      this.contents = await this.#open(this.#data.files);
    } catch (error) {
      this.#failure = errorLine(error);
      this.#log(`sluice: the data of ${this.#data.name} failed to load. ${errorLine(error)}`);
    }
  }
}
