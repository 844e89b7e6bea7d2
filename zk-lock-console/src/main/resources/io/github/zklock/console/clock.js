/*
 * The time of the server. The browser's clock may be wrong, so it only measures the time since the last response. The time
 * stands still while there are no responses, because the state that is shown may have ended.
 */

import { text } from './dom.js';
import { age, dayAndTime } from './format.js';

let serverNow = 0;
let heardAt = 0;
let running = false;

export function sync(now) {
  serverNow = now;
  heardAt = performance.now();
  running = true;
}

export function stop() {
  serverNow = now();
  heardAt = performance.now();
  running = false;
}

export function now() {
  return running ? serverNow + performance.now() - heardAt : serverNow;
}

/** Shows the time since this instant in an element; nothing if it is not a valid date. */
export function since(node, epochMillis) {
  if (!Number.isFinite(epochMillis)) {
    delete node.dataset.since;
    node.removeAttribute('datetime');
    node.removeAttribute('title');
    text(node, '');
    return;
  }
  node.dataset.since = epochMillis;
  node.setAttribute('datetime', new Date(epochMillis).toISOString());
  node.title = dayAndTime(epochMillis);
  text(node, age(now() - epochMillis));
}

export function tick() {
  if (running) {
    for (const node of document.querySelectorAll('[data-since]')) {
      text(node, age(now() - Number(node.dataset.since)));
    }
  }
}
