import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

type Claims = Record<string, unknown>;

interface Grant {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** What a test may make the provider do wrong, or say of a user. */
export interface Conduct {
  /** Over what a good token says. */
  claims: Claims;
  userinfo: Claims | undefined;
  isSignedByAnother: boolean;
}

export const client = { id: "sluice", secret: "the client's secret" };
const keyId = "key-1";
const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A provider of OpenID Connect, as the contract has it: discovery, PKCE, client secret, keys, RS256. */
export async function startProvider() {
  const [own, another] = [pair(), pair()];
  const grants = new Map<string, Grant>();
  const conduct: Conduct = { claims: {}, userinfo: undefined, isSignedByAnother: false };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const answer = routes[url.pathname];
    if (answer) void answer(request, response);
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

  const routes: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
    "/.well-known/openid-configuration": async (_, response) =>
      reply(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...(conduct.userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      }),
    "/keys": async (_, response) => {
      const key = own.publicKey.export({ format: "jwk" });
      reply(response, 200, { keys: [{ ...key, kid: keyId, use: "sig", alg: "RS256" }] });
    },
    "/token": async (request, response) => {
      const given = new URLSearchParams(await text(request));
      const grant = grants.get(given.get("code") ?? "");
      grants.delete(given.get("code") ?? "");
      const challenge = createHash("sha256")
        .update(given.get("code_verifier") ?? "")
        .digest("base64url");
      const isGood =
        grant?.challenge === challenge &&
        grant.redirectUri === given.get("redirect_uri") &&
        isOurClient(request);
      if (!isGood) return reply(response, 400, { error: "invalid_grant" });
      reply(response, 200, { access_token: "access", token_type: "Bearer", id_token: token(grant.nonce) });
    },
    "/userinfo": async (_, response) => reply(response, 200, conduct.userinfo),
  };

  function token(nonce: string): string {
    const now = Math.floor(Date.now() / 1_000);
    const said = {
      iss: issuer,
      aud: client.id,
      sub: "somebody",
      nonce,
      iat: now,
      exp: now + 300,
      ...conduct.claims,
    };
    const signed = `${encoded({ alg: "RS256", kid: keyId })}.${encoded(said)}`;
    const { privateKey } = conduct.isSignedByAnother ? another : own;
    return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
  }

  return {
    issuer,
    conduct,
    /** What the browser brings back after a user has signed in over there. */
    consent(authorization: URL): URLSearchParams {
      const asked = authorization.searchParams;
      const code = randomBytes(8).toString("hex");
      grants.set(code, {
        nonce: asked.get("nonce") ?? "",
        challenge: asked.get("code_challenge") ?? "",
        redirectUri: asked.get("redirect_uri") ?? "",
      });
      return new URLSearchParams({ code, state: asked.get("state") ?? "", iss: issuer });
    },
    reset() {
      conduct.claims = { email: "ops@example.org", email_verified: true, role: "staff" };
      conduct.userinfo = undefined;
      conduct.isSignedByAnother = false;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;

function isOurClient({ headers: { authorization = "" } }: IncomingMessage): boolean {
  const [id = "", secret = ""] = Buffer.from(authorization.replace("Basic ", ""), "base64")
    .toString()
    .split(":");
  const decoded = new URLSearchParams(`id=${id}&secret=${secret}`);
  return decoded.get("id") === client.id && decoded.get("secret") === client.secret;
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
