import type { OAuthConfig } from "next-auth/providers/oauth";
import type { SsoSettings } from "../../manage/users/sso-settings.ts";

type Claims = Record<string, unknown>;

/** Any provider of OpenID Connect. It is discovered from its issuer, and nothing of it is believed unproved. */
export function oidcProvider({
  issuer,
  clientId,
  clientSecret,
  roleClaim,
}: SsoSettings): OAuthConfig<Claims> {
  return {
    id: "oidc",
    name: "Single sign-on",
    type: "oauth",
    wellKnown: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    authorization: { params: { scope: "openid email profile" } },
    checks: ["pkce", "state", "nonce"],
    idToken: true,
    clientId,
    clientSecret,
    userinfo: {
      // Called once the id_token is proved: its signature, issuer, audience, nonce and time.
      async request({ client, tokens }) {
        const said: Claims = "claims" in tokens && typeof tokens.claims === "function" ? tokens.claims() : {};
        if (trimmed(said.iss) !== trimmed(issuer))
          throw new Error("the provider's issuer is not OIDC_ISSUER");
        // Some providers say in the token who it is, and the rest where it is asked for.
        const isEnough = hasVerdict(said) && said[roleClaim] !== undefined;
        if (isEnough || !client.issuer.metadata.userinfo_endpoint || !tokens.access_token) return said;
        const more = await client.userinfo(tokens.access_token);
        if (more.sub !== said.sub) throw new Error("the provider's two answers are about different people");
        return { ...more, ...said, ...emailOf(hasVerdict(said) ? said : more) };
      },
    },
    profile: (claims) => ({ id: String(claims.sub ?? "") }),
  };
}

const hasVerdict = ({ email, email_verified }: Claims) => email !== undefined && email_verified !== undefined;

/** Both from one answer: a verdict on another address says nothing of this one. */
const emailOf = ({ email, email_verified }: Claims): Claims => ({ email, email_verified });

const trimmed = (issuer: unknown): string => String(issuer).replace(/\/$/, "");
