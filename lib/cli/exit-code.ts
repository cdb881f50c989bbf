/** What the shell is told. `--help` lists the same. */
export const exitCode = { done: 0, refused: 1, wrongUsage: 2, unreachable: 3 } as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export const exitCodeHelp: readonly (readonly [ExitCode, string])[] = [
  [exitCode.done, "done"],
  [exitCode.refused, "refused (bad input, a rule, a missing setting), or doctor found a problem"],
  [exitCode.wrongUsage, "the command line was not understood"],
  [exitCode.unreachable, "Redis is not reachable"],
];
