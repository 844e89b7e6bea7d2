/* Notices: an application that does not respond, a suspended session, lost locks. */

import * as clock from './clock.js';
import { byId, el, keyed, text } from './dom.js';
import { several, shown, timeOfDay } from './format.js';
import { mood } from './header.js';

const SHOWN_LOSSES = 3;
const KEPT_LOSSES = 100;
const RECENT_MILLIS = 3_600_000;
const losses = [];
const lastReports = new Map();
let unnamedLosses = 0;
let unreachable = null;
let lastState = null;

/** @param retry starts the next attempt at once */
export function init(retry) {
  byId('notices').addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button?.dataset.act === 'retry') {
      retry();
    } else if (button?.dataset.act === 'dismiss') {
      losses.length = 0;
      unnamedLosses = 0;
      render(null);
      byId('tree').focus();
    }
  });
}

export function reached(state) {
  if (unreachable !== null) {
    announce('The application is reachable again');
  }
  unreachable = null;
  noteLosses(state);
  render(state);
}

/** @param error the reason; @param pauseMillis the time until the next attempt */
export function failed(error, pauseMillis) {
  if (unreachable === null) {
    unreachable = { since: clock.now(), reason: '', pauseMillis };
    announce('The application is not reachable');
  }
  unreachable.reason = error.message;
  unreachable.pauseMillis = pauseMillis;
  render(null);
}

export function announce(sentence) {
  text(byId('announcer'), sentence);
}

function render(state) {
  lastState = state ?? lastState;
  const notices = [];
  if (unreachable !== null) {
    notices.push(unreachableNotice());
  } else if (lastState !== null) {
    lastState.registries.forEach((registry) => notices.push(...sessionNotices(registry)));
  }
  if (lastState !== null) {
    notices.push(...lossNotices(lastState.now));
  }
  keyed(byId('notices'), notices, (notice) => notice.key, create, update);
}

function create(notice) {
  return el('div', { class: `notice ${notice.look}`, 'data-notice': notice.key },
    el('strong', {}), el('ul', {}), el('span', {}),
    ...(notice.act ? [el('button', { type: 'button', class: 'quiet', 'data-act': notice.act }, notice.actText)] : []));
}

function update(node, notice) {
  const [title, list, rest] = node.children;
  text(title, notice.title);
  keyed(list, notice.lines, (line) => line, () => el('li'), text);
  text(rest, notice.rest);
}

function unreachableNotice() {
  const since = unreachable.since > 0 ? ` since ${timeOfDay(unreachable.since)}` : '';
  return {
    key: 'unreachable',
    look: 'bad',
    title: `Not reachable${since}.`,
    lines: [],
    rest: `${unreachable.since > 0 ? 'The page shows the state of that time. ' : ''}${unreachable.reason}. `
      + `Next attempt in ${Math.round(unreachable.pauseMillis / 1000)} s.`,
    act: 'retry',
    actText: 'Try now',
  };
}

function sessionNotices(registry) {
  const name = lastState.registries.length > 1 ? ` of registry ${shown(registry.name)}` : '';
  switch (mood(registry)) {
    case 'suspended':
      return [{
        key: `session ${registry.name}`, look: 'bad', title: `The session${name} is SUSPENDED.`, lines: [],
        rest: `${several(registry.heldCount, 'lock', 'locks')} of this instance can no longer be proven to be held; `
          + 'other processes may hold them.',
      }];
    case 'disconnected':
      return [{
        key: `session ${registry.name}`, look: 'bad', title: `This instance${name} is disconnected from ZooKeeper.`,
        lines: [], rest: registry.heldCount > 0
          ? `${several(registry.heldCount, 'lock', 'locks')} of this instance will be suspended when the proof of the session ends.`
          : 'No lock can be acquired here until it is connected again.',
      }];
    default:
      return [];
  }
}

/**
 * The endpoint counts losses and does not name them. The page names the locks of a session that has ended; any other loss is
 * counted only.
 */
function noteLosses({ registries, now }) {
  const named = losses.length;
  const unnamed = unnamedLosses;
  for (const registry of registries) {
    const { totals, session, held } = registry;
    const last = lastReports.get(registry.name);
    const stillHeld = new Set(held.map((each) => each.token));
    const gone = last !== undefined && last.session !== '' && last.session !== session.id
      ? last.held.filter((each) => !stillHeld.has(each.token)) : [];
    gone.forEach((each) => losses.unshift({ ...each, at: now, reason: 'its session has ended' }));
    // an event may be counted later than the lock is gone
    const owed = Math.max(0, totals.lost - (last?.lost ?? totals.lost)) - gone.length + (last?.owed ?? 0);
    unnamedLosses += Math.max(0, owed);
    lastReports.set(registry.name, { session: session.id || (last?.session ?? ''), held, lost: totals.lost,
      owed: Math.min(0, owed) });
  }
  losses.splice(KEPT_LOSSES);
  if (losses.length > named) {
    announce(losses.length === named + 1 ? `Lock ${shown(losses[0].name)} was lost: ${losses[0].reason}`
      : `${several(losses.length - named, 'lock', 'locks')} were lost`);
  } else if (unnamedLosses > unnamed) {
    announce(`${several(unnamedLosses - unnamed, 'lock was', 'locks were')} lost`);
  }
}

function lossNotices(now) {
  const open = losses.filter((loss) => now - loss.at < RECENT_MILLIS);
  const number = open.length + unnamedLosses;
  if (number === 0) {
    return [];
  }
  const rest = number - Math.min(open.length, SHOWN_LOSSES);
  return [{
    key: 'losses',
    look: 'bad',
    title: `${several(number, 'lock', 'locks')} lost since this page was opened.`,
    lines: open.slice(0, SHOWN_LOSSES).map((loss) =>
      `${shown(loss.name)} at ${timeOfDay(loss.at)}: ${loss.reason} (token ${shown(loss.token)})`),
    rest: rest > 0 ? `${open.length > 0 ? `and ${rest} more; ` : ''}see the log of the application` : '',
    act: 'dismiss',
    actText: 'Dismiss',
  }];
}
