/** A problem as the schema words it, as a sentence of its own. */
export function sentence(problem: string | undefined): string | undefined {
  return problem && `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`;
}
