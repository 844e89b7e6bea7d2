/* What must not be overlooked: an application that does not answer, a session in doubt, lost locks. */

import * as clock from './clock.js';
import { byId, el, keyed, text } from './dom.js';
import { several, shown, timeOfDay } from './format.js';
import { mood } from './header.js';

const SHOWN_LOSSES = 3;
const RECENT_MILLIS = 3_600_000;
const known = new Set();
const dismissed = new Set();
let unreachable = null;
let lastState = null;

/** @param retry asks again at once */
export function init(retry) {
  byId('notices').addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (button?.dataset.act === 'retry') {
      retry();
    } else if (button?.dataset.act === 'dismiss') {
      known.forEach((key) => dismissed.add(key));
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
  render(state);
}

/** @param error says why; @param pauseMillis the time until the next attempt */
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
    notices.push(...lossNotices(lastState));
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
    rest: `${unreachable.since > 0 ? 'What is shown is from then. ' : ''}${unreachable.reason}. `
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
        rest: `${several(registry.heldCount, 'lock', 'locks')} held here can no longer be proven; `
          + 'somebody else may hold them by now.',
      }];
    case 'disconnected':
      return [{
        key: `session ${registry.name}`, look: 'bad', title: `This instance${name} is disconnected from ZooKeeper.`,
        lines: [], rest: registry.heldCount > 0
          ? `${several(registry.heldCount, 'lock', 'locks')} held here will be in doubt when the proof runs out.`
          : 'No lock can be acquired here until it is back.',
      }];
    default:
      return [];
  }
}

function lossNotices(state) {
  const losses = state.registries.flatMap((registry) =>
    registry.recentLosses.map((loss) => ({ ...loss, key: `${registry.name} ${loss.name} ${loss.token} ${loss.at}` })));
  const told = new Set(losses.map((loss) => loss.key));
  // what the application has forgotten does not come again
  [...known].filter((key) => !told.has(key)).forEach((key) => {
    known.delete(key);
    dismissed.delete(key);
  });
  const fresh = losses.filter((loss) => !known.has(loss.key));
  if (fresh.length > 0) {
    announce(fresh.length === 1 ? `Lock ${shown(fresh[0].name)} was lost: ${shown(fresh[0].reason)}`
      : `${several(fresh.length, 'lock', 'locks')} were lost`);
    fresh.forEach((loss) => known.add(loss.key));
  }
  const open = losses
    .filter((loss) => !dismissed.has(loss.key) && state.now - loss.at < RECENT_MILLIS)
    .sort((a, b) => b.at - a.at);
  if (open.length === 0) {
    return [];
  }
  const rest = open.length - SHOWN_LOSSES;
  return [{
    key: 'losses',
    look: 'bad',
    title: `${several(open.length, 'lock', 'locks')} lost in the last hour.`,
    lines: open.slice(0, SHOWN_LOSSES).map((loss) =>
      `${shown(loss.name)} at ${timeOfDay(loss.at)}: ${shown(loss.reason)}`
      + (loss.token ? ` (token ${shown(loss.token)})` : '')),
    rest: rest > 0 ? `and ${rest} more` : '',
    act: 'dismiss',
    actText: 'Dismiss',
  }];
}
