import { at } from "../../at.ts";
import { Texts } from "./texts.ts";

export interface TagCount {
  readonly tag: string;
  readonly count: number;
}

/** So many tags are counted for a page: the most frequent. */
const mostCounted = 100;

/** Sets of tags, as entries have them. Each set is kept once, under a number that is reused when it is free; 0 is the empty set. */
export class TagSets {
  readonly #tags = new Texts();
  /** The tags of each set with a space between, in their order. */
  readonly #sets = new Texts();
  /** Numbers of the tags of each set. */
  readonly #members: (readonly number[])[] = [[]];

  /** Numbers of sets are below this. */
  get end(): number {
    return this.#members.length;
  }

  /** The number of a set, which has one more use now. */
  take(tags: readonly string[]): number {
    if (tags.length === 0) return 0;
    const text = tags.join(" ");
    const isNew = this.#sets.find(text) === 0;
    const number = this.#sets.take(text);
    if (isNew) this.#members[number] = tags.map((tag) => this.#tags.take(tag));
    return number;
  }

  /** One use less. */
  drop(number: number): void {
    if (number === 0) return;
    this.#sets.drop(number);
    if (this.#sets.at(number) !== "") return;
    for (const tag of at(this.#members, number)) this.#tags.drop(tag);
    this.#members[number] = [];
  }

  /** Undefined for the empty set. */
  at(number: number): readonly string[] | undefined {
    return this.#sets.at(number)?.split(" ");
  }

  /** Marks the sets that have this tag. */
  having(tag: string): Uint8Array {
    const wanted = this.#tags.find(tag);
    return this.#marked((member) => member === wanted);
  }

  /** Marks the sets with a tag that has this part. */
  containing(part: string): Uint8Array {
    const says = this.#tags.containing(part);
    return this.#marked((member) => says[member] === 1);
  }

  /** @param uses how many entries have each set */
  count(uses: Uint32Array): TagCount[] {
    const counts = new Map<number, number>();
    for (let number = 1; number < this.end; number++) {
      const here = uses[number] ?? 0;
      if (here > 0)
        for (const tag of at(this.#members, number)) counts.set(tag, (counts.get(tag) ?? 0) + here);
    }
    return [...counts]
      .map(([tag, count]) => ({ tag: this.#tags.at(tag) ?? "", count }))
      .sort((x, y) => y.count - x.count || (x.tag < y.tag ? -1 : 1))
      .slice(0, mostCounted);
  }

  #marked(isMeant: (member: number) => boolean): Uint8Array {
    const marks = new Uint8Array(this.end);
    for (let number = 1; number < marks.length; number++)
      if (at(this.#members, number).some(isMeant)) marks[number] = 1;
    return marks;
  }
}
