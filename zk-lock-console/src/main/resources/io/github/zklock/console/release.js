/* Forced release: says whom it hits and what follows, asks, asks again, and tells what came of it. */

import * as api from './api.js';
import * as clock from './clock.js';
import { byId, el, text } from './dom.js';
import { age, several, shown } from './format.js';
import { ownerText } from './queue.js';

const LONGEST_TYPED = 80;
// a name that can be typed as it is shown
const TYPEABLE = /^[\u0021-\u007e]+$/;

/** @param order lock, registry, seat (as the queue tells it), waiting; @param done is called after an answer */
export function begin(order, done) {
  const dialog = byId('release');
  warn(dialog, order, done);
  dialog.showModal();
}

function warn(dialog, order, done) {
  const { seat } = order;
  const go = el('button', { type: 'button', class: 'danger' }, 'Continue');
  go.addEventListener('click', () => confirm(dialog, order, done));
  page(dialog, 'Force this lock out of its holder’s hands?', [
    facts(order),
    el('p', {}, `${ownerText(seat.owner)} will be told that it lost the lock, and `
      + (order.waiting === 0 ? 'whoever asks next gets it' : 'the next in line gets it')
      + '. Its work is not stopped: until it looks, both may be at work. '
      + 'Only fencing tokens keep its late writes out. Do this to a holder that is known to be stuck.'),
  ], go);
}

function confirm(dialog, order, done) {
  const wanted = typed(order.lock);
  const input = el('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'release-wanted' });
  const go = el('button', { type: 'submit', class: 'danger', disabled: true }, 'Release the lock');
  input.addEventListener('input', () => {
    go.disabled = input.value !== wanted;
  });
  const form = page(dialog, 'Are you sure?', [
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
  // whoever closed it meanwhile must hear of it, too
  if (!dialog.open) {
    dialog.showModal();
  }
  done();
}

/** What was refused was not done; what was not answered may have been. */
function failure(error) {
  const refused = error instanceof api.Refusal && error.status >= 300 && error.status < 500;
  const reason = el('p', { class: 'notice bad' }, shown(error.message));
  return refused ? ['Not released', [reason]] : ['Nobody knows whether it was released',
    [reason, el('p', {}, 'The request may have been carried out all the same: look at the queue before you try again.')]];
}

function outcome(result, order) {
  const whose = `${ownerText(order.seat.owner)}’s seat`;
  switch (result.outcome) {
    case 'RELEASED':
      return ['Released', [el('p', { class: 'notice good' }, `${whose} is gone, and with it the lock.`)]];
    case 'NOT_HOLDING':
      return ['Nothing was released', [el('p', { class: 'notice warn' }, `${whose} does not hold the lock.`)]];
    default:
      return ['Nothing was released', [el('p', { class: 'notice warn' }, `${whose} is not in the queue any more.`)]];
  }
}

/** Shows one step; without a button to go on it is the last. */
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
    ['In the queue', Number.isFinite(since) ? `for ${age(clock.now() - since)}` : 'unknown since when'],
    ['Behind it', several(waiting, 'waits', 'wait')],
  ];
  return el('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
}

function typed(name) {
  return name.length <= LONGEST_TYPED && TYPEABLE.test(name) ? name : 'release';
}
