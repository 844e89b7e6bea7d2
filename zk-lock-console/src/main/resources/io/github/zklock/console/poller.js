/*
 * Runs rounds of requests: two seconds after each response, and with growing pauses after failures. It stops while the page is
 * hidden. Only one round runs at a time: a new round aborts the former one.
 */

const PAUSE_MILLIS = 2000;
const LONGEST_PAUSE_MILLIS = 30_000;
const PATIENCE_MILLIS = 10_000;
const SUPERSEDED = new DOMException('A newer round has started', 'AbortError');

export class Poller {
  #round;
  #failed;
  #failures = 0;
  #running = null;
  #timer = 0;

  /**
   * @param round requests and shows the state, and returns whether to continue at once; @param failed receives an error and the
   * milliseconds until the next round
   */
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

  /** Starts a round at once. */
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
