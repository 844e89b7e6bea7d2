/* The queue of one lock, in the order in which it is served. A seat that moves forward slides to its new place. */

import * as clock from './clock.js';
import { attr, byId, el, keyed, show, text } from './dom.js';
import { count, several, shown } from './format.js';
import { kindText, leads } from './here.js';

const SLIDE = { duration: 320, easing: 'cubic-bezier(.2, .7, .2, 1)' };
const LONGEST = 200;
const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');
let lastQueue = null;
let lastName = '';

/** @param close is called by the button; @param force starts a forced release of a seat */
export function init(close, force) {
  byId('queue-close').addEventListener('click', close);
  byId('seats').addEventListener('click', (event) => {
    const id = event.target.closest('button')?.dataset.seat;
    const seat = lastQueue?.seats.find((each) => each.id === id);
    if (seat) {
      force(lastQueue, seat);
    }
  });
}

/** Shows an empty queue until the first response. */
export function open(name) {
  if (name !== lastName) {
    lastQueue = null;
    lastName = name;
    text(byId('queue-title'), shown(name));
    text(byId('queue-summary'), 'Loading');
    keyed(byId('seats'), [], () => '', () => null, () => {});
    show(byId('queue-rest'), false);
    show(byId('queue-problem'), false);
  }
  show(byId('queue'), true);
  document.body.dataset.queue = 'open';
}

export function close() {
  lastQueue = null;
  lastName = '';
  show(byId('queue'), false);
  delete document.body.dataset.queue;
}

/** @param registry the locks that this process holds; @param state whether the endpoint permits a release, and the leaderships */
export function render(answer, registry, { releasable, leaderships }) {
  const known = lastQueue !== null;
  const led = leaderships.some((each) => each.name === answer.name) || leads(answer.seats[0]?.owner);
  const tokens = new Map(registry.held.map((each) => [each.seat, each.token]));
  const holding = answer.seats.filter((seat) => seat.holds).length;
  const seats = answer.seats.slice(0, LONGEST).map((seat, i) => ({
    ...seat,
    place: i - holding + 1,
    before: ownerText(answer.seats[i - 1]?.owner),
    mine: seat.session !== '' && seat.session === registry.session.id,
    token: tokens.get(seat.id),
  }));
  const queue = { ...answer, holding, seats };
  lastQueue = queue;
  text(byId('queue-summary'), queue.length === 0 ? 'It is free: no holder and no waiter.'
    : led ? `${several(holding, 'leader', 'leaders')}, ${several(queue.length - holding, 'candidate', 'candidates')}.`
      : `${several(holding, 'holder', 'holders')}, ${several(queue.length - holding, 'waiter', 'waiters')}.`);
  attr(byId('seats'), 'data-role', led ? 'leaderships' : null);
  show(byId('queue-problem'), false);
  slide(known, () => keyed(byId('seats'), seats, (seat) => seat.id, create,
    (node, seat) => update(node, seat, releasable)));
  const rest = queue.length - queue.seats.length;
  text(byId('queue-rest'), `and ${several(rest, 'further seat', 'further seats')}`);
  show(byId('queue-rest'), rest > 0);
  text(byId('release-note'),
    'Forced release is off. The endpoint permits it with management.endpoint.zklocks.access=unrestricted.');
  show(byId('release-note'), !releasable);
}

export function refused(error) {
  text(byId('queue-problem'), shown(error.message));
  show(byId('queue-problem'), true);
}

/** A short description of the owner of a seat. */
export function ownerText(owner) {
  return owner ? shown(owner.instance) : 'Owner unknown';
}

function create() {
  return el('li', { class: 'seat' },
    el('span', { class: 'place' }),
    el('div', { class: 'line' },
      el('strong', { class: 'owner' }),
      el('span', { class: 'chip mine' }),
      el('span', { class: 'chip kind' }),
      el('time', { class: 'since' })),
    el('div', { class: 'line muted small' },
      el('span', { class: 'host' }),
      el('span', { class: 'thread' })),
    el('div', { class: 'line muted small' },
      el('span', { class: 'its-session' }),
      el('span', { class: 'token' }),
      el('button', { type: 'button', class: 'danger' }, 'Force release…')));
}

function update(node, seat, mayRelease) {
  const [place, who, where, proof] = node.children;
  const [owner, mine, kind, since] = who.children;
  const [host, thread] = where.children;
  const [session, token, release] = proof.children;
  attr(node, 'data-holds', seat.holds);
  text(place, seat.holds ? 'holds' : String(seat.place));
  attr(place, 'aria-label', seat.holds ? null : `waits, number ${seat.place}, behind ${seat.before}`);
  attr(place, 'role', seat.holds ? null : 'img');
  text(owner, ownerText(seat.owner));
  text(mine, seat.mine ? 'this instance' : '');
  text(kind, kindText(seat.kind, seat.permits, seat.of));
  clock.since(since, seat.owner?.since ? Date.parse(seat.owner.since) : null);
  text(host, seat.owner ? `${shown(seat.owner.host)} · pid ${seat.owner.pid}` : 'its client did not describe itself');
  text(thread, seat.owner ? shown(seat.owner.thread) : '');
  text(session, `session 0x${shown(seat.session)}`);
  text(token, seat.token ? `token ${shown(seat.token)}` : '');
  release.dataset.seat = seat.id;
  attr(release, 'aria-label', `Force release of the lock from ${ownerText(seat.owner)}`);
  show(release, seat.holds && mayRelease);
}

/** FLIP animation (first, last, invert, play): each seat slides from its former place to its new place. */
function slide(animated, change) {
  const list = byId('seats');
  const before = new Map([...list.children].map((node) => [node, node.offsetTop]));
  const held = new Set([...list.children].filter((node) => 'holds' in node.dataset));
  change();
  if (!animated || lessMotion.matches) {
    return;
  }
  for (const node of list.children) {
    const was = before.get(node);
    if (was === undefined) {
      node.animate([{ opacity: 0 }, { opacity: 1 }], SLIDE);
    } else if (was !== node.offsetTop) {
      node.animate([{ transform: `translateY(${was - node.offsetTop}px)` }, { transform: 'none' }], SLIDE);
    }
    if (was !== undefined && 'holds' in node.dataset && !held.has(node)) {
      node.animate([{ boxShadow: 'inset 4px 0 var(--held)' }, { boxShadow: 'inset 0 0 var(--held)' }],
        { duration: 2000, easing: 'ease-in' });
    }
  }
}
