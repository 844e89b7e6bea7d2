/*
 * The server's time. The browser's own clock may be anything: it only counts what passed since the last answer, and it
 * stands still while there are no answers, since nobody knows whether what is shown still lasts.
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

/** Makes an element tell the time since this instant: nothing, if there is none, or none that is a date here. */
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
