/*
 * Reads the names and queues of all locks repeatedly, one bounded page for each request. If there is only one page, each
 * round reads it. If there are more, they are read one by one, and reading takes at most a tenth of the time.
 */

import * as api from './api.js';

const PAGE = 500;
const MOST = 50_000;
const PAUSE_MILLIS = 2000;
const REST = 9;

export class Sweep {
  #about = null;
  #rows = new Map();
  #after = '';
  #turn = 0;
  #startedAt = 0;
  #notBefore = 0;
  /** Whether each name was read at least once. */
  complete = false;
  /** Whether there are more names than the limit. */
  truncated = false;
  /** Duration of the last complete reading, in milliseconds. */
  tookMillis = 0;

  /** The rows that were read: the name, and the queue if the lock has a holder or a waiter. */
  get rows() {
    return this.#rows;
  }

  /** Whether a page may be read now. The pauses limit the load of the servers. */
  get due() {
    return performance.now() >= this.#notBefore;
  }

  /** Discards the rows if the registry or the folder has changed. */
  about(registry, under) {
    const about = JSON.stringify([registry, under]);
    if (about !== this.#about) {
      Object.assign(this, { complete: false, truncated: false, tookMillis: 0 });
      this.#about = about;
      this.#rows = new Map();
      this.#notBefore = 0;
      this.#begin();
    }
  }

  /** Reads the next page. */
  async read(registry, under, signal) {
    const about = this.#about;
    const askedAt = performance.now();
    const query = { registry, limit: PAGE, prefix: under === '' ? '/' : under };
    const { page, next, queues } = await api.locks(this.#after === '' ? query : { ...query, after: this.#after }, signal);
    if (about !== this.#about) {
      return;
    }
    const busy = new Map(queues.map((queue) => [queue.name, queue]));
    page.forEach((name) => this.#rows.set(name, { name, queue: busy.get(name) ?? null, turn: this.#turn }));
    this.#after = next ?? '';
    this.truncated = Boolean(next) && this.#rows.size >= MOST;
    if (!next || this.truncated) {
      this.#end();
    }
    const now = performance.now();
    this.#notBefore = this.complete ? now + Math.max(PAUSE_MILLIS / 2, REST * (now - askedAt)) : now;
  }

  /** Ends the pause: the next round reads the rows again, because one of them has changed. */
  hurry() {
    this.#notBefore = 0;
  }

  #begin() {
    this.#after = '';
    this.#turn++;
    this.#startedAt = performance.now();
  }

  #end() {
    for (const [name, row] of this.#rows) {
      if (row.turn !== this.#turn) {
        this.#rows.delete(name);
      }
    }
    this.complete = true;
    this.tookMillis = performance.now() - this.#startedAt;
    this.#begin();
  }
}
