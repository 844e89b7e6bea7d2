import { ask } from './api.js';
import { byId, element, fill, message, row, text } from './dom.js';
import { amount, number, time } from './format.js';

/** The state of this server: account, products, scheduled job, lost locks. */

const shownEntries = 5;
let known = false;
let user = null;

export async function showShop() {
  try {
    const shop = await ask('shop');
    text('instance', shop.instance);
    text('process', ` · port ${shop.port} · process ${shop.pid}`);
    message('outage', null);
    showUser(shop.user);
    offer(shop);
    list('job-runs', 'job-empty', shop.jobRuns, (run) => row(run.instance, time(run.at), number(run.openOrders)));
    list('losses', 'losses-empty', shop.losses, (loss) => row(loss.name, loss.reason, time(loss.at)));
    message('late-writes', shop.lateWrite
      ? `Late transactions that the database rejected: ${number(shop.lateWrites)}. The last one had token ${shop.lateWrite.token}, `
        + `and a later holder of ${shop.lateWrite.lock} had token ${shop.lateWrite.laterToken}.` : null);
  } catch (problem) {
    message('outage', problem.message);
  }
}

export const signedIn = () => user !== null;

function showUser(name) {
  user = name;
  text('user', name ?? '');
  byId('sign-out').hidden = name === null;
  byId('sign-in').hidden = name !== null;
  byId('sign-in-note').hidden = name !== null;
}

export async function signOut() {
  await ask('logout', { method: 'POST' });
  location.reload();
}

/** Creates the options once, so that they do not change during a choice; updates their prices. */
function offer(shop) {
  const select = byId('product');
  if (!known) {
    known = true;
    select.replaceChildren(...shop.products.map((product) => element('option', { value: product.name })));
  }
  for (const option of select.options) {
    const product = shop.products.find((one) => one.name === option.value);
    const shown = product ? `${product.name}, ${amount(product.priceCents)}` : option.value;
    if (option.textContent !== shown) {
      option.textContent = shown;
    }
  }
}

function list(table, empty, entries, toRow) {
  fill(byId(table).tBodies[0], entries.slice(0, shownEntries), toRow);
  byId(table).hidden = entries.length === 0;
  byId(empty).hidden = entries.length > 0;
}
