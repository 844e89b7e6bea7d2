import { ask } from './api.js';
import { byId, element, message, text } from './dom.js';
import { amount, number } from './format.js';
import { day } from './statistics.js';

/** Orders that this page has placed and completes one by one. */

const shownOrders = 5;

// a completion may wait for the lock
const completionPatience = 60_000;

export const guarded = () => byId('guarded').checked;

export const placeOrder = (wanted) => ask('orders', { method: 'POST', body: wanted });

export const completeOrder = (id, withLock) =>
  ask(`orders/${encodeURIComponent(id)}/${withLock ? 'complete' : 'complete-without-lock'}`, { method: 'POST', patienceMillis: completionPatience });

export const wantedOrder = () => ({ day: day(), product: byId('product').value, quantity: Number(byId('quantity').value) });

export async function placeOne() {
  try {
    const order = await placeOrder(wantedOrder());
    message('order-error', null);
    list(order);
    text('announcement', `Order ${order.id} placed`);
  } catch (problem) {
    message('order-error', `No order was placed: ${problem.message}`);
  }
}

function list(order) {
  const state = element('span', { className: 'order-state' }, 'open');
  const complete = element('button', { type: 'button', className: 'button small' }, 'Complete');
  complete.setAttribute('aria-label', `Complete order ${order.id}`);
  complete.addEventListener('click', () => completeOne(order, complete, state));
  const item = element('li', {},
    element('span', { className: 'order-number' }, `#${order.id}`),
    element('span', { className: 'order-what' }, `${number(order.quantity)} × ${order.product}, ${amount(order.amountCents)}`),
    state, complete);
  byId('open-title').hidden = false;
  const all = byId('open-orders');
  all.prepend(item);
  while (all.children.length > shownOrders) {
    all.lastElementChild.remove();
  }
}

async function completeOne(order, button, state) {
  const withLock = guarded();
  button.disabled = true;
  state.textContent = 'completing';
  try {
    const done = await completeOrder(order.id, withLock);
    state.textContent = done.token ? `completed under token ${done.token}` : 'completed without the lock';
    state.dataset.outcome = done.token ? 'WRITTEN' : 'UNGUARDED';
    button.remove();
    text('announcement', `Order ${order.id}: ${state.textContent}`);
    message('order-error', null);
  } catch (problem) {
    button.disabled = problem.status === 409;
    state.textContent = problem.status === 409 ? 'completed before' : 'open';
    message('order-error', `Order ${order.id} was not completed: ${problem.message}`);
  }
}
