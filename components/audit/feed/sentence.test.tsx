import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Hits, RecordSentence } from "./sentence.tsx";

const textOf = (element: React.ReactElement) => renderToStaticMarkup(element).replace(/<[^>]*>/g, "");

it("never says of a refused change that its actor made or refused it", () => {
  const vera = { actor: "vera", look: "refused", about: "lists", says: ["add to a list"] } as const;
  const said = (row: object) => textOf(<RecordSentence row={{ ...vera, says: ["add to a list"], ...row }} />);
  expect(said({})).toBe("vera’s change was refused: add to a list");
  expect(said({ about: "sign-in" })).toBe("vera’s sign-in was refused");
  expect(said({ look: "change" })).toBe("vera add to a list");
});

it("names the entries that a search found", () => {
  const first = ["192.0.2.30", "192.0.2.31"];
  const said = (hits: object) => textOf(<Hits hits={{ first, more: 0, isLeast: false, ...hits }} />);
  expect(said({ first: first.slice(0, 1) })).toBe("includes 192.0.2.30");
  expect(said({})).toBe("includes 192.0.2.30 and 192.0.2.31");
  expect(said({ more: 2, isLeast: true })).toBe("includes 192.0.2.30, 192.0.2.31 and at least 2 more");
});
