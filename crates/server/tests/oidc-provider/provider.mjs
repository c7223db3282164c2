// A real OpenID Connect provider for the tests, on a free port of loopback. It prints its issuer once it answers, and
// ends when its standard input does: a test that is killed leaves nothing behind.

import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import Provider from "oidc-provider";

const argument = (name) => process.argv.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1);

const redirect_uris = [argument("redirect-uri") ?? "https://toolgate.example/auth/callback"];
// Plain HTTP on loopback is only for programs on the machine itself.
const application_type = redirect_uris[0].startsWith("http:") ? "native" : "web";

const client = (client_id, more) => ({
  client_id,
  redirect_uris,
  application_type,
  grant_types: ["authorization_code"],
  response_types: ["code"],
  ...more,
});

const confidential = (alg) =>
  client(`confidential-${alg}`, {
    // Characters that form encoding changes: without it basic authentication would fail.
    client_secret: "s3cret: 100%+&=",
    token_endpoint_auth_method: "client_secret_basic",
    id_token_signed_response_alg: alg,
  });

const key = async (alg, options) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, ...options });
  return { ...(await exportJWK(privateKey)), use: "sig", kid: `key-${alg}` };
};

const configuration = {
  clients: [
    ...["RS256", "PS256", "ES256", "EdDSA"].map(confidential),
    client("public", { token_endpoint_auth_method: "none" }),
    {
      client_id: "machine",
      client_secret: "m4chine-s3cret-of-the-tests",
      token_endpoint_auth_method: "client_secret_basic",
      grant_types: ["client_credentials"],
      response_types: [],
      redirect_uris: [],
    },
  ],
  scopes: ["openid", "offline_access", "email", "profile", "tools:read"],
  jwks: { keys: [await key("RS256"), await key("ES256"), await key("EdDSA", { crv: "Ed25519" })] },
  cookies: { keys: ["only for tests"] },
  pkce: { required: () => true },
  claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
  features: {
    clientCredentials: { enabled: true },
    registration: { enabled: process.argv.includes("registration") },
    // Access tokens for a resource are signed tokens, made for that resource only.
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        audience: resource,
        scope: "tools:read tools:execute metrics:read",
        accessTokenFormat: "jwt",
        accessTokenTTL: Number(argument("access-token-ttl") ?? 300),
        jwt: { sign: { alg: argument("access-token-alg") ?? "RS256" } },
      }),
    },
  },
  // Whoever may have a refresh token gets one, without asking for it by a scope of OpenID.
  issueRefreshToken: (_, client) => client.grantTypeAllowed("refresh_token"),
  // Large providers do; others leave the address to the ID token.
  extraTokenClaims: (_, token) =>
    process.argv.includes("claims-in-access-token") && token.accountId
      ? { email: `${token.accountId}@people.example`, email_verified: true }
      : undefined,
  // Claims in the ID token when asked to, and otherwise, as the specification has it, at the userinfo endpoint only.
  conformIdTokenClaims: !process.argv.includes("claims-in-id-token"),
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@people.example`, email_verified: true, name: `The ${id}` }),
  }),
};

const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, configuration);
  const given = new Set();
  provider.on("refresh_token.saved", (token) => given.add(token));
  const answer = provider.callback();
  server.on("request", async (request, response) => {
    if (request.url !== "/forget") return answer(request, response);
    // As if people took back what they allowed. Says which refresh tokens there were.
    const tokens = [...given];
    for (const token of tokens) await token.destroy();
    response.end(JSON.stringify(tokens.map((token) => token.jti)));
  });
  console.log(issuer);
});
process.stdin.on("end", () => process.exit()).resume();
