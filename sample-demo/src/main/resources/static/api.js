/** A request that failed or received no response. */
export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const token = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/;

function headers(method, body) {
  // Spring Security answers such requests with a status, not with its login page
  const all = { 'X-Requested-With': 'XMLHttpRequest' };
  if (body !== undefined) {
    all['Content-Type'] = 'application/json';
  }
  const [, csrf] = token.exec(document.cookie) ?? [];
  if (method !== 'GET' && csrf !== undefined) {
    all['X-XSRF-TOKEN'] = decodeURIComponent(csrf);
  }
  return all;
}

/** Sends a request. Returns the JSON of the response, or throws a Problem with the reason. */
export async function ask(path, { method = 'GET', body, patienceMillis = 15_000 } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(method, body),
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMillis),
    });
  } catch (unanswered) {
    throw new Problem(unanswered.name === 'TimeoutError'
      ? `The shop did not answer within ${patienceMillis / 1000} s`
      : 'The shop does not answer: is it still running?', 0);
  }
  const answer = await response.json().catch(() => null);
  if (response.status === 401) {
    throw new Problem('Sign in first', 401);
  }
  if (response.status === 403) {
    throw new Problem('Your account lacks the right, or your session has ended: sign in again', 403);
  }
  if (!response.ok) {
    throw new Problem(answer?.detail ?? answer?.error ?? answer?.message ?? `The shop answered ${response.status}`, response.status);
  }
  return answer;
}
