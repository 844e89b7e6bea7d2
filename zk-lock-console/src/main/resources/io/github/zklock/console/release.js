/* Forced release: shows the holder and the consequences, asks twice for confirmation, and shows the outcome. */

import * as api from './api.js';
import * as clock from './clock.js';
import { byId, el, text } from './dom.js';
import { age, several, shown } from './format.js';
import { ownerText } from './queue.js';

const LONGEST_TYPED = 80;
// names whose characters can be typed as they are shown
const TYPEABLE = /^[\u0021-\u007e]+$/;

/** @param order lock, registry, seat (from the queue), waiting; @param done is called after a response */
export function begin(order, done) {
  const dialog = byId('release');
  warn(dialog, order, done);
  dialog.showModal();
}

function warn(dialog, order, done) {
  const go = el('button', { type: 'button', class: 'danger' }, 'Continue');
  go.addEventListener('click', () => confirm(dialog, order, done));
  page(dialog, 'Release this lock by force?', [
    facts(order),
    el('p', {}, 'The loss is reported to the holder, and '
      + (order.waiting === 0 ? 'the next request acquires the lock' : 'the next waiter acquires the lock')
      + '. The work of the holder is not stopped: until it checks the lock, two holders may work at once. '
      + 'Only fencing tokens reject its late writes. Use this for a holder that is known to be stuck.'),
  ], go);
}

function confirm(dialog, order, done) {
  const wanted = typed(order.lock);
  const input = el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'release-wanted' });
  const go = el('button', { type: 'submit', class: 'danger', disabled: true }, 'Release the lock');
  input.addEventListener('input', () => {
    go.disabled = input.value !== wanted;
  });
  const form = page(dialog, 'Confirm the release', [
    facts(order),
    el('label', {}, el('span', { id: 'release-wanted' }, 'To confirm, type ', el('code', {}, wanted)), input),
  ], go);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (input.value === wanted) {
      go.disabled = true;
      text(go, 'Releasing…');
      send(dialog, order, done);
    }
  });
  input.focus();
}

async function send(dialog, order, done) {
  const { lock: name, registry, seat } = order;
  try {
    const result = await api.release({ registry, name, seat: seat.id });
    page(dialog, ...outcome(result, order));
  } catch (error) {
    page(dialog, ...failure(error));
  }
  // show the outcome even if the user has closed the dialog
  if (!dialog.open) {
    dialog.showModal();
  }
  done();
}

/** A rejected request had no effect. A request without a response may have had one. */
function failure(error) {
  const refused = error instanceof api.Refusal && error.status >= 300 && error.status < 500;
  const reason = el('p', { class: 'notice bad' }, shown(error.message));
  return refused ? ['Not released', [reason]] : ['It is unknown whether the lock was released',
    [reason, el('p', {}, 'The request may have had an effect: check the queue before you try again.')]];
}

function outcome(result, order) {
  const whose = `${ownerText(order.seat.owner)}’s seat`;
  switch (result.outcome) {
    case 'RELEASED':
      return ['Released', [el('p', { class: 'notice good' }, `${whose} is deleted, which released the lock.`)]];
    case 'NOT_HOLDING':
      return ['Nothing was released', [el('p', { class: 'notice warn' }, `${whose} does not hold the lock.`)]];
    default:
      return ['Nothing was released', [el('p', { class: 'notice warn' }, `${whose} is no longer in the queue.`)]];
  }
}

/** Shows one step. A step without a button to continue is the last one. */
function page(dialog, title, content, go = null) {
  const back = el('button', { type: 'button' }, go ? 'Cancel' : 'Close');
  back.addEventListener('click', () => dialog.close());
  const form = el('form', { method: 'dialog' },
    el('h2', { id: 'release-title' }, title), ...content,
    el('div', { class: 'buttons' }, back, ...(go ? [go] : [])));
  dialog.replaceChildren(form);
  back.focus();
  return form;
}

function facts({ lock, seat, waiting }) {
  const { owner } = seat;
  const since = Date.parse(owner?.since);
  const rows = [
    ['Lock', shown(lock)],
    ['Holder', ownerText(owner)],
    ['Host', owner ? `${shown(owner.host)}, pid ${owner.pid}` : 'unknown'],
    ['Thread', owner ? shown(owner.thread) : 'unknown'],
    ['In the queue', Number.isFinite(since) ? `for ${age(clock.now() - since)}` : 'unknown'],
    ['Waiting', several(waiting, 'waiter', 'waiters')],
  ];
  return el('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

function typed(name) {
  return name.length <= LONGEST_TYPED && TYPEABLE.test(name) ? name : 'release';
}
