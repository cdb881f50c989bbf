// Runs a program that ends with the parent process: `node program-with-parent.mjs <program> <argument> …`. For programs that cannot
// load end-with-parent.mjs.
import { spawn } from "node:child_process";

const [program = "", ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: "inherit" });
child.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});
child.on("exit", (code) => process.exit(code ?? 0));

const stop = () => child.kill("SIGTERM");
process.on("SIGTERM", stop);
process.on("disconnect", stop);
