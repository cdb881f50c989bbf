/**
 * Signs in to a console. Returns the cookies of the session.
 * @param {{ url: string, email: string, password: string }} user @returns {Promise<string>}
 */
export async function signIn({ url, email, password }) {
  const started = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = await started.json();
  const answer = await fetch(`${url}/api/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie: cookiesOf(started) },
    body: new URLSearchParams({ csrfToken, email, password }),
    redirect: "manual",
  });
  const cookie = cookiesOf(answer);
  if (!cookie.includes("session=")) throw new Error(`signing in: ${answer.status}`);
  return cookie;
}

/** @param {Response} answer */
function cookiesOf(answer) {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}
