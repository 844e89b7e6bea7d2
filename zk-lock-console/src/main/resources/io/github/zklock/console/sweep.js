/*
 * Reads the names and queues of all locks, a bounded page for each request, again and again. Up to one page of names is read
 * anew at each request; more are read page by page, each for at most a tenth of the time.
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
  /** Whether each name was read once. */
  complete = false;
  /** Whether there are more names than are read. */
  truncated = false;
  /** How long the last reading of all names took, in milliseconds. */
  tookMillis = 0;

  /** The known rows: name, and the queue if the lock is held or awaited. */
  get rows() {
    return this.#rows;
  }

  /** Whether a page may be read now, so that reading leaves most of the time to the servers. */
  get due() {
    return performance.now() >= this.#notBefore;
  }

  /** Forgets what was read if something else is looked at. */
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

  /** Has the rows read again at once, as one of them has changed. */
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
