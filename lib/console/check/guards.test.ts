import { describe, expect, it } from "vitest";
import { Places } from "./guards.ts";

function placesOf(most: number) {
  const clock = { ms: 0 };
  const places = new Places<string>(() => clock.ms);
  /** One request for this name. Returns the name that gave its place up. */
  const ask = (name: string) => (places.use(name) ? undefined : places.open(name, most, () => name).freed);
  return { clock, ask, isOpen: (name: string) => places.use(name) === name };
}

describe("places", () => {
  it("takes the place with the fewest recent requests for a new name", () => {
    const { ask, isOpen } = placesOf(3);
    for (const name of ["shop", "junk", "api", "shop", "api"]) expect(ask(name)).toBeUndefined();
    expect(ask("blog")).toBe("junk");
    expect(["shop", "api", "blog"].every(isOpen)).toBe(true);
  });

  it("forgets old requests, so a name that is no longer in use gives its place up", () => {
    const { clock, ask } = placesOf(2);
    for (let i = 0; i < 100; i++) ask("retired");
    clock.ms = 3_600_000;
    for (const name of ["shop", "shop"]) ask(name);
    expect(ask("blog")).toBe("retired");
  });

  it("keeps names in use while junk names come and go, and bounds how often places change hands", () => {
    const { clock, ask, isOpen } = placesOf(8);
    let refused = 0;
    for (let i = 0; i < 1_000; i++) {
      clock.ms += 100;
      ask("shop");
      try {
        ask(`junk-${i}`);
      } catch {
        refused++;
      }
    }
    expect(isOpen("shop")).toBe(true);
    // 7 places were free, and within 100 s 8 places changed hands in each minute that had begun.
    expect(1_000 - refused).toBe(7 + 2 * 8);
  });
});
