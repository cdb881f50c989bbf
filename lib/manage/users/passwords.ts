/**
 * Hashes and checks passwords. An interface, because argon2 is a native module that the console alone has
 * (password.ts), and the command line must load without it.
 */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash as with one, and is then false. */
  isRight(hash: string | undefined, password: string): Promise<boolean>;
}

/** Code in the address of the sign-in page after a password was chosen. */
export const passwordSet = "password-set";

export const shortestPassword = 12;
const longestPassword = 200;

/** Why a password may not be chosen. */
export function passwordProblem(password: string, email: string): string | undefined {
  const { length } = [...password];
  if (length < shortestPassword)
    return `A password has at least ${shortestPassword} characters, this one ${length}`;
  if (length > longestPassword) return `A password has at most ${longestPassword} characters`;
  if (new Set(password).size < 4) return "Choose a password of more than three different characters";
  if (password.toLowerCase() === email) return "The email address is no password";
  return undefined;
}
