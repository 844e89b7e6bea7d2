import { byId, element, message, text } from './dom.js';
import { number, orders, rate } from './format.js';
import { completeOrder, guarded, placeOrder, wantedOrder } from './orders.js';
import { statisticsOf } from './statistics.js';

/** Completes many orders of one product at once, and shows how many of them the statistics have counted. */

// a browser opens six connections to a server: one stays free for the updates of the page
const atOnce = 5;

let running = false;

export const burstRuns = () => running;

export async function burst(size) {
  if (running) {
    return;
  }
  running = true;
  byId('burst').disabled = true;
  message('order-error', null);
  try {
    await run(size, guarded());
  } catch (problem) {
    text('burst-text', 'Not finished.');
    message('order-error', `The burst was not finished: ${problem.message}`);
  } finally {
    running = false;
    byId('burst').disabled = false;
  }
}

async function run(size, withLock) {
  const wanted = wantedOrder();
  const progress = byId('burst-progress');
  byId('burst-box').hidden = false;
  progress.max = size;
  progress.value = 0;

  text('burst-text', `Placing ${orders(size)}`);
  const placed = [];
  await atOnceAll(size, async () => {
    placed.push((await placeOrder(wanted)).id);
    progress.value = placed.length;
  });

  const before = await statisticsOf(wanted.day);
  const problems = [];
  let completed = 0;
  progress.value = 0;
  const start = performance.now();
  await atOnceAll(placed.length, async (index) => {
    try {
      await completeOrder(placed[index], withLock);
      completed++;
    } catch (problem) {
      problems.push(problem.message);
    }
    progress.value = completed + problems.length;
    text('burst-text', `Completing, lock ${withLock ? 'on' : 'off'}: ${number(completed)} of ${number(size)}`);
  });
  const seconds = (performance.now() - start) / 1000;

  const after = await statisticsOf(wanted.day);
  const truth = after.truth.orders - before.truth.orders;
  tell(withLock, truth, after.orders - before.orders, completed / seconds);
  if (problems.length > 0) {
    message('order-error', `${orders(problems.length)} not completed: ${problems[0]}`);
  }
}

/** Runs a task for each index, with a limited number of tasks at a time. */
async function atOnceAll(count, task) {
  let next = 0;
  async function worker() {
    while (next < count) {
      await task(next++);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
}

function tell(withLock, completed, counted, perSecond) {
  const missing = completed - counted;
  const outcome = missing === 0 ? 'nothing is missing' : `${orders(missing)} missing`;
  const sentence = `Lock ${withLock ? 'on' : 'off'}: ${orders(completed)} completed, ${number(counted)} counted, ${outcome}.`;
  text('burst-text', sentence);
  text('announcement', sentence);
  byId('bursts-title').hidden = false;
  byId('bursts-box').hidden = false;
  byId('bursts').tBodies[0].prepend(element('tr', { className: missing === 0 ? 'right' : 'wrong' },
    element('th', { scope: 'row' }, withLock ? 'on' : 'off'),
    ...[number(completed), number(counted), number(missing), rate(perSecond)].map((cell) => element('td', {}, cell))));
}
