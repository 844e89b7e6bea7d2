/*
 * Asks again and again: two seconds after each answer, later and later while there is none, not at all while nobody can
 * see the page. One round at a time: a new one puts an end to the one before.
 */

const PAUSE_MILLIS = 2000;
const LONGEST_PAUSE_MILLIS = 30_000;
const PATIENCE_MILLIS = 10_000;
const SUPERSEDED = new DOMException('A newer round has begun', 'AbortError');

export class Poller {
  #round;
  #failed;
  #failures = 0;
  #running = null;
  #timer = 0;

  /** @param round asks and shows, and returns whether it has more to ask at once; @param failed is told of an error and of the milliseconds until the next round */
  constructor(round, failed) {
    this.#round = round;
    this.#failed = failed;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        this.#halt();
      } else {
        this.now();
      }
    });
  }

  /** Begins a round at once. */
  async now() {
    this.#halt();
    if (document.hidden) {
      return;
    }
    const own = new AbortController();
    this.#running = own;
    const patience = setTimeout(
      () => own.abort(new Error(`no answer within ${PATIENCE_MILLIS / 1000} seconds`)), PATIENCE_MILLIS);
    let soon = false;
    try {
      soon = await this.#round(own.signal);
      this.#failures = 0;
    } catch (error) {
      if (this.#running === own) {
        this.#failures++;
        this.#failed(error, this.#pause());
      }
    } finally {
      clearTimeout(patience);
      if (this.#running === own) {
        this.#running = null;
        this.#timer = setTimeout(() => this.now(), soon ? 0 : this.#pause());
      }
    }
  }

  #pause() {
    return Math.min(PAUSE_MILLIS * 2 ** this.#failures, LONGEST_PAUSE_MILLIS);
  }

  #halt() {
    clearTimeout(this.#timer);
    const running = this.#running;
    this.#running = null;
    running?.abort(SUPERSEDED);
  }
}
