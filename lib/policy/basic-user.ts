/** What an Authorization header says of a user by HTTP Basic (RFC 7617); false when it is there and says nothing of the kind. */
export function basicUser(authorization: string | undefined): string | false | undefined {
  if (authorization === undefined) return undefined;
  const gap = authorization.indexOf(" ");
  if (gap < 0 || authorization.slice(0, gap).toLowerCase() !== "basic") return false;
  const pair = decode(authorization.slice(gap + 1).trim());
  const colon = pair?.indexOf(":") ?? -1;
  // Without a name there is nobody to count.
  return pair === undefined || colon < 1 ? false : pair.slice(0, colon);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Older clients write Latin-1; neither has control characters. */
function decode(token: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64");
  const pair = fromUtf8(bytes) ?? bytes.toString("latin1");
  return /\p{Cc}/u.test(pair) ? undefined : pair;
}

function fromUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
