import { ask } from './api.js';
import { byId, fill, message, row, text } from './dom.js';
import { amount, dayName, isoDay, number, orders, signed } from './format.js';

/** The statistics of a day, the totals of its completed orders, and the difference. */

export const day = () => byId('day').value || isoDay(new Date());

export const statisticsOf = (wanted) => ask(`statistics/check?day=${encodeURIComponent(wanted)}`);

/** Statistics and totals are read at the same time, so a difference is an error even while orders are completed. */
export async function showStatistics() {
  try {
    const asked = day();
    const found = await statisticsOf(asked);
    if (asked === day()) {
      show(found);
      message('statistics-error', null);
    }
  } catch (problem) {
    message('statistics-error', `The statistics could not be read: ${problem.message}`);
  }
}

function show(found) {
  const missing = found.truth.orders - found.orders;
  const missingCents = found.truth.amountCents - found.amountCents;
  const state = !found.right ? 'wrong' : found.truth.orders === 0 ? 'empty' : 'right';

  byId('result').dataset.state = state;
  text('verdict', verdict(state, found, missing));
  text('verdict-text', explanation(state, found, missing, missingCents));
  text('counted-orders', number(found.orders));
  text('counted-amount', amount(found.amountCents));
  text('truth-orders', number(found.truth.orders));
  text('truth-amount', amount(found.truth.amountCents));
  text('difference-orders', signed(-missing));
  text('difference-amount', signed(-missingCents, amount));
  fill(byId('statistics').tBodies[0], found.rows, (product) =>
    row(product.product, number(product.orders), amount(product.amountCents)));
}

function verdict(state, found, missing) {
  switch (state) {
    case 'empty': return 'No completed order yet';
    case 'right': return found.truth.orders === 1 ? 'The one order is counted' : `All ${orders(found.truth.orders)} are counted`;
    default:
      if (missing === 0) {
        return 'The amounts are wrong';
      }
      return missing > 0
        ? `${number(missing)} of ${orders(found.truth.orders)} ${missing === 1 ? 'is' : 'are'} missing`
        : `${orders(-missing)} too many`;
  }
}

function explanation(state, found, missing, missingCents) {
  switch (state) {
    case 'empty': return `Complete one on ${dayName(found.day)}, or many at once.`;
    case 'right': return `The statistics of ${dayName(found.day)} are what the orders say.`;
    default:
      return `The statistics of ${dayName(found.day)} say ${orders(found.orders)}, the orders say ${number(found.truth.orders)}. `
        + `${amount(Math.abs(missingCents))} ${missingCents >= 0 ? 'are lost' : 'too much'}. The lock does not bring back what is lost: take a fresh day.`;
  }
}

/** Selects the next day without sales. */
export async function freshDay() {
  const date = new Date(`${day()}T12:00:00`);
  for (let tried = 0; tried < 366; tried++) {
    date.setDate(date.getDate() + 1);
    const found = await statisticsOf(isoDay(date));
    if (found.truth.orders === 0 && found.orders === 0) {
      byId('day').value = isoDay(date);
      return;
    }
  }
}
