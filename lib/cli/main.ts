#!/usr/bin/env node
import { environment } from "../env.ts";
import { run } from "./run.ts";

// A reader that closes early (`sluice block export | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));

const code = await run(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  isTTY: process.stdout.isTTY === true,
  isStderrTTY: process.stderr.isTTY === true,
  environment: environment(),
});

// A server that hangs would keep its closing connection, and with it this process, for another two seconds.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))),
);
process.exit(code);
