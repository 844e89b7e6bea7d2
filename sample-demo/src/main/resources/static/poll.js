/**
 * Runs a task repeatedly, with a pause after its end, so requests do not overlap.
 * Runs nothing while the page is hidden.
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
