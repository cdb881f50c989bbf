// `npm pack` here would pack the console.
import { Stop, tell } from "./stop.mjs";

process.exitCode = tell(
  new Stop("This folder is the console. To build and pack the library: npm run pack:lib"),
);
