/*
 * Who blocks whom, as a chain: each request waits for the one above it. The chain is a list, so it is text, too.
 */

import { el, keyed, text } from './dom.js';
import { shown } from './format.js';

const LINK = /thread '(.*?)' of (.*?) waits for '(.*?)', which thread '(.*?)' of (.*?) holds/g;

/**
 * The links of a deadlock from the text of the endpoint: the thread at the top holds what the second one waits for, and waits for
 * the last one, as the last link shows. Empty if the text has another form.
 */
export function ofDeadlock(requests) {
  const links = [...requests.matchAll(LINK)].reverse();
  if (links.length === 0) {
    return [];
  }
  const [, , , lock, thread, instance] = links[0];
  return [
    { instance, thread, does: `holds ${lock}` },
    ...links.map(([, waiter, its, wanted], i) => ({
      instance: its,
      thread: waiter,
      does: i + 1 < links.length ? `waits for ${wanted}, holds ${links[i + 1][3]}` : `waits for ${wanted}`,
    })),
  ];
}

export function render(list, links) {
  keyed(list, links, ({ instance, thread }) => `${instance} ${thread}`, create, update);
}

function create() {
  return el('li', { class: 'link' },
    el('span', { class: 'place', 'aria-hidden': 'true' }),
    el('div', { class: 'line' }, el('strong', { class: 'owner' }), el('span', { class: 'thread muted small' })),
    el('div', { class: 'line small does' }));
}

function update(node, { instance, thread, does }) {
  const [, who, what] = node.children;
  const [owner, threadName] = who.children;
  text(owner, shown(instance));
  text(threadName, shown(thread));
  text(what, shown(does));
}
