import type { Happening } from "../../manage/alarms/happening.ts";
import { sayWish, type UserRequest } from "../../manage/requests/user-request.ts";

const causeOf = ({ id }: UserRequest) => `request ${id}`;

/** Open requests, and how the others were decided. */
export function requestStates(requests: readonly UserRequest[]): {
  readonly states: readonly Happening[];
  readonly ends: ReadonlyMap<string, string>;
} {
  const states = requests
    .filter(({ decision }) => !decision)
    .map((request): Happening => {
      const { by, role, reason, at } = request;
      return {
        ...{
          kind: "request",
          cause: causeOf(request),
          title: `Request: ${sayWish(request)}`,
          path: "/alarms",
        },
        ...{ text: `${by} (${role}) asks to ${sayWish(request)}: ${reason}`, at: Date.parse(at) },
      };
    });
  const ends = requests.flatMap((request) => {
    const { decision } = request;
    if (!decision) return [];
    const { is, by, word } = decision;
    const verb = is === "confirmed" ? "Confirmed" : "Declined";
    return [[causeOf(request), `${verb} by ${by}${word === "" ? "" : `: ${word}`}`] as const];
  });
  return { states, ends: new Map(ends) };
}
