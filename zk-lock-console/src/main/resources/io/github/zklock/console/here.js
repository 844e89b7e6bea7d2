/* The deadlocks and leaderships of this instance, the locks that it holds and waits for, and those with its longest waits. */

import * as clock from './clock.js';
import { attr, byId, el, keyed, show, text } from './dom.js';
import { count, dayAndTime, duration, several, shown } from './format.js';

/** @param open shows the queue of a lock */
export function init(open) {
  for (const id of ['deadlocks', 'leaderships', 'held', 'awaited', 'hot']) {
    byId(id).addEventListener('click', (event) => {
      const name = event.target.closest('button')?.dataset.name;
      if (name !== undefined) {
        open(name);
      }
    });
  }
}

export function render(registry, now) {
  list('held', registry.held, registry.heldCount, (each) => ({
    key: `${each.name} ${each.seat} ${each.thread}`,
    from: now - each.heldMillis,
    more: each.token ? `token ${shown(each.token)}` : '',
    doubt: each.state === 'HELD' ? '' : shown(each.state),
  }));
  list('awaited', registry.awaited, registry.awaitedCount, (each) => ({
    key: `${each.name} ${each.thread}`,
    from: now - each.waitedMillis,
    more: '',
    doubt: '',
  }));
  keyed(byId('deadlocks'), registry.deadlocks, (each) => `${each.name} ${each.found}`, () => createLine('since'),
    updateDeadlock);
  show(byId('deadlocks-panel'), registry.deadlocks.length > 0);
  keyed(byId('hot'), registry.hot, (each) => each.name, () => createLine('since'), updateHot);
  show(byId('hot-panel'), registry.hot.length > 0);
}

/** The leaderships do not depend on the registry that is shown. */
export function renderLeaderships(leaderships) {
  keyed(byId('leaderships'), leaderships, (each) => each.name, () => createLine('chip leader'), updateLeadership);
  show(byId('leaderships-panel'), leaderships.length > 0);
}

/** The label for the kind of a lock; empty for an exclusive lock. @param of the permits of the semaphore, if known */
export function kindText(kind, permits, of) {
  if (kind === 'PERMITS' && of !== undefined) {
    return `${count(permits)} of ${several(of, 'permit', 'permits')}`;
  }
  if (kind === 'PERMITS') {
    return several(permits, 'permit', 'permits');
  }
  return kind === null || kind === 'EXCLUSIVE' ? '' : shown(kind).toLowerCase();
}

function list(id, rows, total, describe) {
  const items = rows.map((row) => ({ ...row, ...describe(row) }));
  text(byId(`${id}-count`), total > rows.length ? `${count(rows.length)} of ${count(total)}` : count(total));
  attr(byId(`${id}-count`), 'data-some', total > 0);
  keyed(byId(id), items, (item) => item.key, create, update);
  show(byId(`${id}-empty`), total === 0);
}

function create(item) {
  return el('li', {},
    el('div', { class: 'line' },
      el('button', { type: 'button', class: 'name' }),
      el('span', { class: 'chip kind' }),
      el('span', { class: 'chip doubt' }),
      el('time', { class: 'since' })),
    el('div', { class: 'line muted small' },
      el('span', { class: 'thread', title: shown(item.thread) }),
      el('span', { class: 'token' })));
}

function update(node, item) {
  const [name, kind, doubt, since] = node.firstChild.children;
  const [thread, token] = node.lastChild.children;
  name.dataset.name = item.name;
  text(name, shown(item.name));
  text(kind, kindText(item.kind, item.permits));
  text(doubt, item.doubt);
  clock.since(since, item.from);
  text(thread, shown(item.thread));
  text(token, item.more);
}

/** @param beside the class of what stands beside the name */
function createLine(beside) {
  return el('li', {},
    el('div', { class: 'line' },
      el('button', { type: 'button', class: 'name' }),
      el('span', { class: beside })),
    el('div', { class: 'line muted small' }));
}

function updateLeadership(node, { name: lock, leader, token }) {
  const [name, role] = node.firstChild.children;
  name.dataset.name = lock;
  text(name, shown(lock));
  text(role, leader ? 'leader' : '');
  text(node.lastChild, leader ? `token ${shown(token)}` : 'candidate');
}

function updateDeadlock(node, deadlock) {
  const [name, found] = node.firstChild.children;
  name.dataset.name = deadlock.name;
  text(name, shown(deadlock.name));
  text(found, dayAndTime(Date.parse(deadlock.found)));
  text(node.lastChild, `${shown(deadlock.requests)}${deadlock.rejected ? '. The request of this instance was rejected' : ''}`);
}

function updateHot(node, hot) {
  const [name, waited] = node.firstChild.children;
  name.dataset.name = hot.name;
  text(name, shown(hot.name));
  text(waited, duration(hot.waitedMillis));
  text(node.lastChild, `${several(hot.acquired + hot.timedOut, 'wait', 'waits')}${
    hot.timedOut > 0 ? `, ${several(hot.timedOut, 'timeout', 'timeouts')}` : ''}`);
}
