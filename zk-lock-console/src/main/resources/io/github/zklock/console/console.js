/* The page: requests the state of the application every two seconds and shows it. */

import * as address from './address.js';
import * as api from './api.js';
import * as charts from './charts.js';
import * as clock from './clock.js';
import { byId, text } from './dom.js';
import { timeOfDay } from './format.js';
import * as header from './header.js';
import * as here from './here.js';
import { LocksPanel } from './locks.js';
import * as notices from './notices.js';
import { Poller } from './poller.js';
import * as queue from './queue.js';
import * as release from './release.js';
import { Sweep } from './sweep.js';

const view = address.read();
let state = null;

const sweep = new Sweep();
const poller = new Poller(round, (error, pauseMillis) => {
  clock.stop();
  notices.failed(error, pauseMillis);
  header.renderUnreachable();
  document.body.dataset.reached = 'no';
});
const locksPanel = new LocksPanel(view, sweep, look, open);

function init() {
  charts.init();
  here.init(open);
  notices.init(() => poller.now());
  queue.init(close, force);
  byId('registry').addEventListener('change', (event) => {
    Object.assign(view, { registry: event.target.value, offset: 0, under: '', lock: '' });
    queue.close();
    look();
  });
  byId('skip').addEventListener('click', (event) => {
    event.preventDefault();
    locksPanel.focus();
  });
  window.addEventListener('hashchange', () => {
    Object.assign(view, address.read());
    byId('search').value = view.search;
    showQueue();
    look();
  });
  document.addEventListener('keydown', key);
  setInterval(clock.tick, 1000);
  showQueue();
  poller.now();
}

/**
 * One round of requests. The local state of the process is shown first, because ZooKeeper may be slow or unreachable.
 * Returns whether there are names of locks that were not read yet.
 */
async function round(signal) {
  state = await api.state(signal, charts.due());
  clock.sync(state.now);
  document.body.dataset.reached = 'yes';
  const registry = chosen();
  view.registry = registry.name;
  header.render(state, registry);
  notices.reached(state);
  charts.render(state, registry);
  here.render(registry, state);
  here.renderRoles(state, sweep.rows);
  const asked = view.lock;
  sweep.about(registry.name, view.under);
  const [locks, seats] = await Promise.all([
    sweep.due ? unlessDisconnected(registry, () => sweep.read(registry.name, view.under, signal)) : {},
    asked === '' ? null
      : unlessDisconnected(registry, () => api.queue({ registry: registry.name, name: asked }, signal)),
  ]);
  here.renderRoles(state, sweep.rows);
  part(locks, () => locksPanel.render(registry, state), (error) => locksPanel.refused(error));
  if (seats !== null && asked === view.lock) {
    part(seats, (answer) => queue.render(answer, registry, state), (error) => queue.refused(error));
  }
  text(byId('freshness'), `Live, as of ${timeOfDay(state.now)}`);
  return !sweep.complete && !locks.error;
}

/** A request to ZooKeeper. It fails at once while there is no connection. */
function unlessDisconnected(registry, question) {
  return header.mood(registry) === 'disconnected'
    ? { error: new api.Refusal(503, 'There is no connection to ZooKeeper') } : settled(question());
}

/** The response, or the error that the application returns. If there is no response, the whole round fails. */
async function settled(question) {
  try {
    return { answer: await question };
  } catch (error) {
    if (error instanceof api.Refusal) {
      return { error };
    }
    throw error;
  }
}

function part({ answer, error }, fine, refused) {
  if (error) {
    refused(error);
  } else {
    fine(answer);
  }
}

function chosen() {
  return state.registries.find((each) => each.name === view.registry) ?? state.registries[0];
}

function look() {
  address.write(view);
  poller.now();
}

function open(name) {
  view.lock = name;
  showQueue();
  byId('queue-title').focus({ preventScroll: true });
  byId('queue').scrollIntoView({ block: 'nearest' });
  look();
}

function close() {
  view.lock = '';
  showQueue();
  look();
  locksPanel.focus();
}

function showQueue() {
  if (view.lock === '') {
    queue.close();
  } else {
    queue.open(view.lock);
  }
  locksPanel.draw();
}

function force(shownQueue, seat) {
  release.begin({
    lock: shownQueue.name,
    registry: shownQueue.registry,
    seat,
    waiting: shownQueue.length - shownQueue.holding,
  }, () => {
    sweep.hurry();
    poller.now();
  });
}

function key(event) {
  const typing = event.target.closest('input, select, textarea, dialog');
  if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    byId('search').focus();
    byId('search').select();
  } else if (event.key === 'Escape' && !typing && view.lock !== '') {
    close();
  }
}

init();
