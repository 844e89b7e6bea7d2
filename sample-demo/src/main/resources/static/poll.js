/**
 * Runs a task again and again: the next time a pause after its end, so that requests never overlap,
 * and not at all while nobody sees the page.
 */
export function poll(task, pauseMillis = 1000) {
  let timer = null;
  let running = false;

  async function run() {
    if (running || document.hidden) {
      return;
    }
    clearTimeout(timer);
    running = true;
    try {
      await task();
    } finally {
      running = false;
      timer = setTimeout(run, typeof pauseMillis === 'function' ? pauseMillis() : pauseMillis);
    }
  }

  document.addEventListener('visibilitychange', run);
  run();
  return run;
}
