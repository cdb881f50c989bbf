/** Where the paths of the API begin. */
export const apiRoot = "/api/v1";

/** The secret in an Authorization header. */
export function bearerOf(authorization: string | null | undefined): string | undefined {
  return /^bearer +([!-~]{1,200})$/i.exec(authorization ?? "")?.[1];
}
