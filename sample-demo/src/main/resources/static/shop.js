import { burst, burstRuns } from './burst.js';
import { byId, message, text } from './dom.js';
import { isoDay, orders } from './format.js';
import { showShop, signOut } from './instances.js';
import { placeOne } from './orders.js';
import { poll } from './poll.js';
import { showQueue } from './queue.js';
import { freshDay, showStatistics } from './statistics.js';

/** Connects the controls of the page, and refreshes its parts once a second. */

byId('day').value = isoDay(new Date());

const refreshStatistics = poll(showStatistics);
poll(showShop);
// more often during a burst, whose queue exists for milliseconds only
poll(showQueue, () => (burstRuns() ? 150 : 1000));

byId('order-form').addEventListener('submit', async (event) => {
  event.preventDefault();
  await placeOne();
});

byId('burst').addEventListener('click', async () => {
  if (byId('order-form').reportValidity()) {
    await burst(Number(byId('burst-size').value));
    await refreshStatistics();
  }
});

byId('burst-size').addEventListener('change', () =>
  text('burst', `Complete ${orders(Number(byId('burst-size').value))}`));

byId('guarded').addEventListener('change', () =>
  text('guarded-hint', byId('guarded').checked
    ? 'On: one recomputation at a time, on all servers.'
    : 'Off: recomputations overlap, and overwrite each other.'));

byId('sign-out').addEventListener('click', signOut);

byId('day').addEventListener('change', refreshStatistics);

byId('fresh-day').addEventListener('click', async () => {
  try {
    await freshDay();
    await refreshStatistics();
  } catch (problem) {
    message('statistics-error', `No fresh day was found: ${problem.message}`);
  }
});
