import { z } from "zod";
import { environment } from "../../../lib/env.ts";
import { read } from "../../_server/read.ts";
import { shared } from "../../_server/statistics.ts";
import { theSweep } from "../../_server/sweep.ts";
import { readEdge } from "./read-edge.ts";

const freshMs = 900;

export const GET = read("read", z.object({}), ({ console }) =>
  shared("edge", freshMs, () =>
    readEdge(console.redis, { isNamed: environment().edge !== undefined, problem: theSweep().problem }),
  ),
);
