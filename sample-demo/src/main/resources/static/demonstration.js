import { ask } from './api.js';
import { byId, element, fill, message, text } from './dom.js';
import { number, time } from './format.js';

/** The scenarios, their verdicts, and the progress of the running one. */

const cards = new Map();

export async function showDemonstration() {
  try {
    const now = await ask('demonstration');
    byId('demonstration-off').hidden = true;
    show(now);
    message('demonstration-error', null);
  } catch (problem) {
    byId('demonstration-off').hidden = problem.status !== 404;
    message('demonstration-error', problem.status === 404 ? null : `The scenarios could not be read: ${problem.message}`);
  }
}

function show(now) {
  for (const scenario of now.scenarios) {
    const card = cards.get(scenario.name) ?? addCard(scenario);
    const verdict = now.verdicts.findLast((one) => one.scenario === scenario.name);
    const runs = now.running && now.scenario === scenario.name;
    card.run.disabled = now.running;
    card.item.dataset.state = runs ? 'running' : verdict ? (verdict.passed ? 'passed' : 'failed') : 'idle';
    card.state.textContent = runs ? 'running' : verdict ? (verdict.passed ? 'passed' : 'failed') : '';
    card.verdict.textContent = verdict && !runs ? verdict.text : '';
  }
  const title = now.scenarios.find((one) => one.name === now.scenario)?.title ?? now.scenario ?? '';
  byId('demonstration-stop').hidden = !now.running;
  byId('run-box').hidden = !now.running && now.lines.length === 0;
  text('run-title', now.running ? title : 'The last scenario');
  text('run-count', now.running && now.total > 0 ? `${number(now.done)} of ${number(now.total)}` : '');
  showProgress(now);
  showLines(now.lines);
  const last = now.verdicts.at(-1);
  text('run-status', now.running ? `Running: ${title}` : last ? last.text : '');
}

function addCard(scenario) {
  const run = element('button', { type: 'button', className: 'button small' }, 'Run');
  run.setAttribute('aria-label', `Run: ${scenario.title}`);
  run.addEventListener('click', () => order('POST', `demonstration/${encodeURIComponent(scenario.name)}`));
  const state = element('span', { className: 'scenario-state' });
  const verdict = element('p', { className: 'scenario-verdict' });
  const item = element('li', { className: 'card scenario' },
    element('div', { className: 'scenario-head' }, element('h3', {}, scenario.title), state),
    element('p', { className: 'scenario-about' }, scenario.about), verdict, run);
  item.dataset.scenario = scenario.name;
  byId('scenarios').append(item);
  const card = { item, run, state, verdict };
  cards.set(scenario.name, card);
  return card;
}

function showProgress(now) {
  const progress = byId('run-progress');
  progress.hidden = !now.running;
  if (now.total > 0) {
    progress.max = now.total;
    progress.value = now.done;
  } else {
    progress.removeAttribute('value');
  }
}

function showLines(lines) {
  const list = byId('lines');
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  fill(list, lines, (line) =>
    element('li', {}, element('time', {}, time(line.at)), element('span', {}, line.text)));
  if (atEnd) {
    list.scrollTop = list.scrollHeight;
  }
}

async function order(method, path) {
  try {
    await ask(path, { method });
    message('demonstration-error', null);
    byId('run-box').hidden = false;
  } catch (problem) {
    message('demonstration-error', problem.message);
  }
  await showDemonstration();
}

export const stopDemonstration = () => order('DELETE', 'demonstration');
