/*
 * The requests of the page to the endpoint zklocks. They have the rights of the browser's user on that endpoint. If Spring
 * Security provides a CSRF token in a cookie, the page adds it.
 */

const LOCKS = document.documentElement.dataset.locks;
const PATIENCE_MILLIS = 8000;
const TOKEN = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/;

/** An error that the application returns. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * The locks that the process holds and waits for. This request does not depend on ZooKeeper. @param history whether to return the
 * last quarter of an hour, too
 */
export async function state(signal, history) {
  const query = history ? { history } : {};
  const { instance, time, releasable, leaderships = [], jobs = [], registries } = await ask(query, { signal });
  const leaders = new Set(leaderships.map((each) => each.name));
  return {
    instance,
    now: Date.parse(time),
    releasable,
    leaderships,
    jobs,
    registries: Object.entries(registries).map(([name, report]) => registryOf(name, report, leaders)),
  };
}

/** A page of lock names, with the queues of the locks with a holder or a waiter. */
export async function locks(query, signal) {
  const { registries } = await ask({ queues: true, ...query }, { signal: patient(signal) });
  return registries[query.registry].names;
}

export async function queue(query, signal) {
  const { name, registries } = await ask(query, { signal: patient(signal) });
  return { name, registry: query.registry, ...registries[query.registry] };
}

/** 404 and 409 are outcomes too: the seat does not exist, or does not hold the lock. */
export function release(order) {
  const [, token] = TOKEN.exec(document.cookie) ?? [];
  const headers = token === undefined ? {} : { 'X-XSRF-TOKEN': decodeURIComponent(token) };
  return ask(order, { method: 'DELETE', headers }, [404, 409]);
}

/** ISO 8601 durations of hours, minutes and seconds. */
function millis(duration) {
  const [, hours, minutes, seconds] = /^PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?[\d.]+)S)?$/.exec(duration) ?? [];
  return 1000 * (3600 * Number(hours ?? 0) + 60 * Number(minutes ?? 0) + Number(seconds ?? 0));
}

/** @param leaders the leaderships: a candidate is no waiter, because it waits as long as another instance leads */
function registryOf(name, { session, totals, hot = [], deadlocks = [], history = null, held, awaited, ...rest }, leaders) {
  const waits = awaited.filter((each) => !leaders.has(each.name));
  return {
    ...rest,
    name,
    awaitedCount: rest.awaitedCount - awaited.length + waits.length,
    session: { ...session, timeoutMillis: millis(session.timeout), remainingMillis: millis(session.remaining) },
    totals,
    deadlocks,
    hot: hot.filter((each) => !leaders.has(each.name)).map((each) => ({ ...each, waitedMillis: millis(each.waited) })),
    held: held.map((each) => ({ ...each, heldMillis: millis(each.heldFor) })),
    awaited: waits.map((each) => ({ ...each, waitedMillis: millis(each.waitedFor) })),
    history: history?.map(stepOf) ?? null,
  };
}

function stepOf({ time, events, held, awaited, longestWait }) {
  return { ...events, at: Date.parse(time), waitedMillis: millis(events.waited), heldMillis: millis(events.held), held,
    waiting: awaited, longestWaitMillis: millis(longestWait) };
}

/** Limits a request to ZooKeeper to less than the round, so that the rest of the round is still shown. */
function patient(signal) {
  return AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLIS)]);
}

async function ask(query, options, alsoFine = []) {
  const answer = await answerTo(`${LOCKS}?${new URLSearchParams(query)}`, options);
  if (answer.type === 'opaqueredirect') {
    throw new Refusal(302, 'The application requires a login: reload the page');
  }
  const body = await json(answer);
  const fine = answer.ok || (alsoFine.includes(answer.status) && body.outcome);
  if (!fine) {
    throw new Refusal(answer.status, reason(answer.status, options.method) ?? body.error
      ?? `The application answers ${answer.status}`);
  }
  return body;
}

async function answerTo(address, options) {
  try {
    return await fetch(address, {
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      ...options,
      headers: { Accept: 'application/json', ...options.headers },
    });
  } catch (error) {
    if (error.name === 'TimeoutError') {
      throw new Refusal(504, `ZooKeeper did not answer within ${PATIENCE_MILLIS / 1000} s`);
    }
    throw error;
  }
}

/** The remedy for an error that Spring Security or the actuator returns without one. */
function reason(status, method = 'GET') {
  switch (status) {
    case 401:
      return 'The endpoint zklocks requires a login (401): reload the page';
    case 403:
      return method === 'GET' ? 'Your user lacks the right to read the endpoint zklocks (403)'
        : `The application rejected the release (403). ${TOKEN.test(document.cookie)
          ? 'Your user lacks the right to release locks'
          : 'Your user lacks the right to release locks, or the application expects a CSRF token that it does not offer:'
            + ' configure csrf.spa() in Spring Security'}`;
    case 404:
      return 'The endpoint zklocks is not exposed (404): add zklocks to management.endpoints.web.exposure.include';
    case 405:
      return 'The access to the endpoint zklocks is read-only (405):'
        + ' set management.endpoint.zklocks.access=unrestricted to permit a release';
    default:
      return undefined;
  }
}

async function json(answer) {
  const type = answer.headers.get('Content-Type') ?? '';
  if (type.includes('json')) {
    return answer.json();
  }
  if (answer.ok) {
    throw new Refusal(answer.status, 'The application answers without data: reload the page');
  }
  return {};
}
