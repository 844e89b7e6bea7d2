/* The deadlocks, leaderships and jobs of this instance, its locks and waits, and the locks with its longest waits. */

import * as chain from './chain.js';
import * as clock from './clock.js';
import { attr, byId, el, keyed, show, text } from './dom.js';
import { count, dayAndTime, duration, several, shown } from './format.js';

/** @param open shows the queue of a lock */
export function init(open) {
  for (const id of ['deadlocks', 'leaderships', 'jobs', 'held', 'awaited', 'hot']) {
    byId(id).addEventListener('click', (event) => {
      const name = event.target.closest('button')?.dataset.name;
      if (name !== undefined) {
        open(name);
      }
    });
  }
}

export function render(registry, { now, leaderships }) {
  const led = new Set(leaderships.map((each) => each.name));
  const held = registry.held.filter((each) => !led.has(each.name));
  list('held', held, registry.heldCount - registry.held.length + held.length, (each) => ({
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
  keyed(byId('deadlocks'), registry.deadlocks, (each) => `${each.name} ${each.found}`, createDeadlock,
    updateDeadlock);
  show(byId('deadlocks-panel'), registry.deadlocks.length > 0);
  keyed(byId('hot'), registry.hot, (each) => each.name, () => createLine('since'), updateHot);
  show(byId('hot-panel'), registry.hot.length > 0);
}

/** The leaderships and jobs do not depend on the registry that is shown. @param rows the locks that were read, by name */
export function renderRoles({ leaderships, jobs }, rows) {
  const holder = (name) => rows.get(name)?.queue?.holder?.instance;
  keyed(byId('leaderships'), leaderships, (each) => each.name, () => createLine('chip role'),
    (node, each) => updateLeadership(node, each, holder(each.name)));
  show(byId('leaderships-panel'), leaderships.length > 0);
  keyed(byId('jobs'), jobs, (each) => each.name, () => createLine('since'),
    (node, each) => updateJob(node, each, holder(each.name)));
  show(byId('jobs-panel'), jobs.length > 0);
}

/** Whether the owner of a seat is a candidate of a leadership, by the name that its library gives to the thread. */
export function leads(owner) {
  return owner?.thread?.startsWith('zk-lock-leader-') ?? false;
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

function updateLeadership(node, { name: lock, leader, token }, holder) {
  const [name, role] = node.firstChild.children;
  name.dataset.name = lock;
  text(name, shown(lock));
  text(role, leader ? 'leader' : 'candidate');
  attr(role, 'data-leads', leader);
  text(node.lastChild, leader ? `token ${shown(token)}` : holder ? `${shown(holder)} leads` : '');
}

function updateJob(node, job, holder) {
  const [name, window] = node.firstChild.children;
  name.dataset.name = job.name;
  text(name, shown(job.name));
  text(window, shown(job.window));
  text(node.lastChild, holder ? `runs on ${shown(holder)}` : '');
}

function createDeadlock() {
  const node = createLine('since');
  node.insertBefore(el('ol', { class: 'chain', 'aria-label': 'Each request waits for the one before it' }), node.lastChild);
  return node;
}

function updateDeadlock(node, deadlock) {
  const [, links, rest] = node.children;
  const [name, found] = node.firstChild.children;
  name.dataset.name = deadlock.name;
  text(name, shown(deadlock.name));
  text(found, dayAndTime(Date.parse(deadlock.found)));
  const drawn = chain.ofDeadlock(deadlock.requests);
  chain.render(links, drawn);
  text(rest, [drawn.length > 0 ? '' : shown(deadlock.requests),
    deadlock.rejected ? 'The request of this instance was rejected' : ''].filter((each) => each !== '').join('. '));
}

function updateHot(node, hot) {
  const [name, waited] = node.firstChild.children;
  name.dataset.name = hot.name;
  text(name, shown(hot.name));
  text(waited, duration(hot.waitedMillis));
  text(node.lastChild, `${several(hot.acquired + hot.timedOut, 'wait', 'waits')}${
    hot.timedOut > 0 ? `, ${several(hot.timedOut, 'timeout', 'timeouts')}` : ''}`);
}
