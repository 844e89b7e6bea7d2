/** An answer of the shop's that says no, or no answer. */
export class Problem extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Asks the shop; the answer as JSON, or a Problem with what the shop says about it. */
export async function ask(path, { method = 'GET', body, patienceMillis = 15_000 } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
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
  if (!response.ok) {
    throw new Problem(answer?.detail ?? answer?.error ?? answer?.message ?? `The shop answered ${response.status}`, response.status);
  }
  return answer;
}
