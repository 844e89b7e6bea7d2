/* What the page asks of the application, by addresses relative to the page. */

/** An answer that is not the one asked for. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function state(signal) {
  return ask('api/state', { signal });
}

export function locks(query, signal) {
  return ask(`api/locks?${new URLSearchParams(query)}`, { signal });
}

export function queue(query, signal) {
  return ask(`api/queue?${new URLSearchParams(query)}`, { signal });
}

/** 404 and 409 are answers, too: the seat is gone, or does not hold. */
export function release(order, csrf) {
  const headers = { 'Content-Type': 'application/json' };
  if (csrf) {
    headers[csrf.header] = csrf.token;
  }
  return ask('api/release', { method: 'POST', headers, body: JSON.stringify(order) }, [404, 409]);
}

async function ask(address, options, alsoFine = []) {
  const answer = await fetch(address, {
    cache: 'no-store',
    credentials: 'same-origin',
    redirect: 'manual',
    ...options,
    headers: { Accept: 'application/json', ...options.headers },
  });
  if (answer.type === 'opaqueredirect') {
    throw new Refusal(302, 'The application wants you to sign in: reload the page');
  }
  const body = await json(answer);
  const fine = answer.ok || (alsoFine.includes(answer.status) && body.outcome);
  if (!fine) {
    throw new Refusal(answer.status, body.error ?? `The application answers ${answer.status}`);
  }
  return body;
}

async function json(answer) {
  const type = answer.headers.get('Content-Type') ?? '';
  if (!type.includes('json')) {
    throw new Refusal(answer.status, `The application answers ${answer.status} without data: reload the page`);
  }
  return answer.json();
}
