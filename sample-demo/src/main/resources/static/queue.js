import { ask } from './api.js';
import { byId, element, message, text } from './dom.js';
import { number, since } from './format.js';
import { signedIn } from './instances.js';

/** The queue of the statistics' lock in ZooKeeper, and the threads of this server that wait behind its seat. */

const lock = '/order-stats';
const shownSeats = 12;
let longest = 0;

export async function showQueue() {
  byId('queue-sign-in').hidden = signedIn();
  if (!signedIn()) {
    byId('queue-empty').hidden = true;
    return;
  }
  try {
    const [cluster, here] = await Promise.all([ask(`actuator/zklocks${lock}`), ask('actuator/zklocks')]);
    const [registry, queue] = Object.entries(cluster.registries)[0];
    show(queue, here.registries[registry]);
    message('queue-error', null);
  } catch (problem) {
    message('queue-error', `The queue could not be read: ${problem.message}`);
  }
}

function show(queue, here) {
  const mine = here?.session?.id;
  const behind = (here?.awaited ?? []).filter((wait) => wait.name === lock).map((wait) => wait.thread);
  const held = (here?.held ?? []).find((hold) => hold.name === lock);
  const waiting = queue.seats.filter((seat) => !seat.holds).length + behind.length;

  byId('seats').replaceChildren(...queue.seats.slice(0, shownSeats).map((seat, index) =>
    seatItem(seat, index, seat.session === mine ? { behind, held } : null)));
  byId('queue-empty').hidden = queue.seats.length > 0;
  text('queue-count', queue.seats.length === 0 ? '' : `${number(queue.length)} in ZooKeeper`);
  longest = Math.max(longest, waiting);
  message('queue-longest', longest > 0 ? `Longest queue that this page has seen: ${number(longest)} waiting.` : null);
}

function seatItem(seat, index, server) {
  const owner = seat.owner;
  const who = owner ? `${owner.instance} · process ${owner.pid} on ${owner.host}` : 'unknown client';
  const what = owner ? `${owner.thread} · for ${since(owner.since)}` : `session ${seat.session}`;
  return element('li', { className: seat.holds ? 'seat holds' : 'seat' },
    element('span', { className: 'place' }, number(index + 1)),
    element('div', { className: 'seat-body' },
      element('p', { className: 'seat-who' }, who, server ? element('span', { className: 'tag' }, 'this server') : null),
      element('p', { className: 'seat-what' }, server?.held ? `${server.held.thread} · token ${server.held.token}` : what),
      server && server.behind.length > 0 ? threads(server.behind) : null),
    element('span', { className: 'seat-state' }, seat.holds ? 'holds' : 'waits'));
}

function threads(names) {
  const few = names.slice(0, 6).join(', ');
  return element('p', { className: 'behind' },
    `${names.length === 1 ? '1 thread waits' : `${number(names.length)} threads wait`} behind it: ${few}${names.length > 6 ? ', …' : ''}`);
}
