import { atHome } from "../../lib/redis/home.ts";
import { Rates } from "../../lib/stats/rates.ts";
import { theConsole } from "./console.ts";

/** How often clients came: minutes that are over are read once in a process. */
export const theRates = () => atHome("rates", () => new Rates(theConsole().redis));
