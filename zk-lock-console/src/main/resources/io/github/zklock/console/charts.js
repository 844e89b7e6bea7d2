/*
 * Three small charts of this instance since the page was opened, for up to five minutes, each with a text of its numbers. The
 * endpoint reports totals. The page computes the differences in steps of five seconds.
 */

import { attr, byId, el, keyed, show, svg, text } from './dom.js';
import { count, duration, rate, several, timeOfDay } from './format.js';

const WIDTH = 300;
const HEIGHT = 64;
const STEP_MILLIS = 5000;
const STEPS = 60;
// events of a time in which the page was hidden are not counted in the step in which it is visible again
const LONGEST_GAP_MILLIS = 3 * STEP_MILLIS;

const CHARTS = [
  {
    title: 'Acquisitions',
    said: (number) => rate(number ?? 0),
    least: 1,
    series: [
      { name: 'acquired', look: 'held', value: (point) => perSecond(point.acquired) },
      { name: 'timeouts', look: 'wait', marks: true, value: (point) => perSecond(point.timedOut) },
      { name: 'unavailable', look: 'off', marks: true, value: (point) => perSecond(point.unavailable) },
      { name: 'lost', look: 'bad', marks: true, value: (point) => perSecond(point.lost) },
    ],
  },
  {
    title: 'Mean wait and hold',
    said: (number) => (number === null || number === undefined ? '–' : duration(number)),
    least: 1,
    series: [
      { name: 'wait', look: 'wait', value: (point) => (point.acquired > 0 ? point.waitedMillis / point.acquired : null) },
      { name: 'hold', look: 'held', value: (point) => (point.released > 0 ? point.heldMillis / point.released : null) },
    ],
    extra: (points) => longest(points),
  },
  {
    title: 'Held and waiting',
    momentary: true,
    said: (number) => count(Math.round(number ?? 0)),
    least: 4,
    series: [
      { name: 'held', look: 'held', value: (point) => point.held },
      { name: 'waiting', look: 'wait', value: (point) => point.waiting },
    ],
  },
];

const COUNTED = ['acquired', 'waitedMillis', 'released', 'heldMillis', 'timedOut', 'unavailable', 'lost'];

const histories = new Map();
let shownPoints = [];

export function init() {
  keyed(byId('charts'), CHARTS, (chart) => chart.title, create, () => {});
}

/** @param chosen the name of the registry that is shown; the others are recorded too */
export function render({ registries, now }, chosen) {
  registries.forEach((registry) => record(registry, now));
  shownPoints = histories.get(chosen).points;
  [...byId('charts').children].forEach((figure, i) => draw(figure, CHARTS[i]));
}

/** Adds the events since the last report to the current step. */
function record({ name, totals, heldCount, awaitedCount, awaited }, now) {
  const history = histories.get(name) ?? { points: [], totals, at: now };
  histories.set(name, history);
  const at = now - (now % STEP_MILLIS);
  const { points } = history;
  // the clock was set back: start again
  if (points.length > 0 && (at < points.at(-1).at || at - points.at(-1).at >= STEPS * STEP_MILLIS)) {
    points.length = 0;
  }
  while (points.length === 0 || points.at(-1).at < at) {
    const { held = 0, waiting = 0, at: last = at - STEP_MILLIS } = points.at(-1) ?? {};
    points.push({ ...Object.fromEntries(COUNTED.map((field) => [field, 0])), at: last + STEP_MILLIS, held, waiting,
      longestWaitMillis: 0 });
  }
  const point = points.at(-1);
  Object.assign(point, { held: heldCount, waiting: awaitedCount });
  point.longestWaitMillis = Math.max(point.longestWaitMillis, awaited[0]?.waitedMillis ?? 0);
  const restarted = COUNTED.some((field) => totals[field] < history.totals[field]);
  if (!restarted && now - history.at <= LONGEST_GAP_MILLIS) {
    COUNTED.forEach((field) => {
      point[field] += totals[field] - history.totals[field];
    });
  }
  Object.assign(history, { totals, at: now });
  points.splice(0, points.length - STEPS);
}

function perSecond(number) {
  return number / (STEP_MILLIS / 1000);
}

function create(chart) {
  const figure = el('figure', { class: 'panel chart' },
    el('figcaption', {}, el('h2', {}, chart.title), el('span', { class: 'muted small extra' })),
    el('div', { class: 'legend' },
      ...chart.series.map((series) => el('span', { 'data-look': series.look }, el('b', {}), ` ${series.name}`)),
      el('span', { class: 'scale' })),
    el('div', { class: 'plot' },
      svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' },
        svg('path', { class: 'area', 'data-look': chart.series[0].look }),
        ...chart.series.map((series) =>
          svg('path', { class: series.marks ? 'marks' : 'stroke', 'data-look': series.look })),
        svg('path', { class: 'cursor' }))));
  const plot = figure.lastChild;
  plot.addEventListener('pointermove', (event) => {
    const { left, width } = plot.getBoundingClientRect();
    figure.dataset.at = (event.clientX - left) / width;
    draw(figure, chart);
  });
  plot.addEventListener('pointerleave', () => {
    delete figure.dataset.at;
    draw(figure, chart);
  });
  return figure;
}

function draw(figure, chart) {
  // the last step is incomplete
  const points = chart.momentary ? shownPoints : shownPoints.slice(0, -1);
  const rows = chart.series.map((series) => points.map((point) => series.value(point)));
  const at = pointed(figure, points.length);
  const highestOfAll = Math.max(0, ...rows.flat());
  drawLines(figure.querySelector('svg'), chart, rows, Math.max(chart.least, highestOfAll) * 1.08, at);
  const entries = [...figure.querySelector('.legend').children];
  chart.series.forEach((series, i) => {
    text(entries[i].firstChild, chart.said(rows[i].at(at ?? -1)));
    show(entries[i], i === 0 || !series.marks || highest(rows[i]) > 0);
  });
  text(entries.at(-1), `peak ${chart.said(highestOfAll)}`);
  text(figure.querySelector('.extra'), at === null ? chart.extra?.(points) ?? '' : `at ${timeOfDay(points[at].at)}`);
}

function drawLines(picture, chart, rows, top, at) {
  const [area, ...lines] = picture.children;
  const cursor = lines.pop();
  attr(area, 'd', rows[0].includes(null) || rows[0].length < 2 ? null
    : `${line(rows[0], top)}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`);
  rows.forEach((values, i) => attr(lines[i], 'd', chart.series[i].marks ? marks(values, top) : line(values, top)));
  attr(cursor, 'd', at === null ? null : `M${across(at, rows[0].length)} 0V${HEIGHT}`);
  attr(picture, 'aria-label', inWords(chart, rows));
}

/** The point under the pointer, or null. */
function pointed(figure, length) {
  return figure.dataset.at === undefined || length === 0 ? null
    : Math.min(length - 1, Math.max(0, Math.round(Number(figure.dataset.at) * (length - 1))));
}

/** A line with gaps where there is no value. A single value between gaps is a dot. */
function line(values, top) {
  return values.map((value, i) => {
    if (value === null) {
      return '';
    }
    const place = `${across(i, values.length)} ${up(value, top)}`;
    return (values[i - 1] ?? null) === null ? `M${place}h.1` : `L${place}`;
  }).join('');
}

/** A stroke for each step with events, tall enough to be visible beside large numbers. */
function marks(values, top) {
  return values.map((value, i) =>
    (value > 0 ? `M${across(i, values.length)} ${HEIGHT}V${Math.min(up(value, top), HEIGHT - 12)}` : '')).join('');
}

function inWords(chart, rows) {
  const seconds = shownPoints.length * STEP_MILLIS / 1000;
  const parts = chart.series.map((series, i) =>
    `${series.name} ${chart.said(rows[i].at(-1))} now, ${chart.said(highest(rows[i]))} at most`);
  return `${chart.title}, over ${several(seconds, 'second', 'seconds')}: ${parts.join('; ')}`;
}

function longest(points) {
  const most = highest(points.map((point) => point.longestWaitMillis));
  return most > 0 ? `longest wait ${duration(most)}` : '';
}

function highest(values) {
  return Math.max(0, ...values);
}

function across(i, length) {
  return length < 2 ? WIDTH : ((i / (length - 1)) * WIDTH).toFixed(1);
}

function up(value, top) {
  return (HEIGHT - (value / top) * (HEIGHT - 1)).toFixed(1);
}
