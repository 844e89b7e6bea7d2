/* The page: asks the application every two seconds and shows what it says. */

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

const view = address.read();
let state = null;

const poller = new Poller(round, (error, pauseMillis) => {
  clock.stop();
  notices.failed(error, pauseMillis);
  header.renderUnreachable();
  document.body.dataset.reached = 'no';
});
const locksPanel = new LocksPanel(view, look, open);

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

/** One question to the application: all of it is shown, or what was shown stays. */
async function round(signal) {
  if (state === null) {
    state = await api.state(signal);
    clock.sync(state.now);
  }
  const registry = chosen();
  view.registry = registry.name;
  const asked = view.lock;
  const [next, locks, seats] = await Promise.all([
    api.state(signal),
    settled(api.locks(locksPanel.query(), signal)),
    asked === '' ? null : settled(api.queue({ registry: registry.name, name: asked }, signal)),
  ]);
  state = next;
  clock.sync(state.now);
  document.body.dataset.reached = 'yes';
  render(locks, seats, asked);
}

function render(locks, seats, asked) {
  const registry = chosen();
  header.render(state, registry);
  notices.reached(state);
  charts.render(registry.history);
  here.render(registry, state.now);
  part(locks, (answer) => locksPanel.render(answer, state.now), (error) => locksPanel.refused(error));
  if (seats !== null && asked === view.lock) {
    part(seats, (answer) => queue.render(answer, state.release), (error) => queue.refused(error));
  }
  text(byId('freshness'), `Live, as of ${timeOfDay(state.now)}`);
}

/** The answer, or the application's refusal; that nobody answers is a failure of the whole round. */
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
    csrf: state.release.csrf,
  }, () => poller.now());
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
