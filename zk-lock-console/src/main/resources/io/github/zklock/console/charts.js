/*
 * Three small charts of this instance over the last quarter of an hour, each with a text of its numbers. The application records
 * them in steps of ten seconds, so that a page that was just opened shows the past, too.
 */

import * as clock from './clock.js';
import { attr, byId, el, keyed, show, svg, text } from './dom.js';
import { count, duration, rate, timeOfDay } from './format.js';

const WIDTH = 300;
const HEIGHT = 64;
const STEP_MILLIS = 10_000;
const MINUTES = 15;
const SPAN_MILLIS = MINUTES * 60_000;
// the application was stopped in between
const GAP_MILLIS = 3 * STEP_MILLIS;

const CHARTS = [
  {
    title: 'Acquisitions',
    said: (number) => rate(number ?? 0),
    least: 1,
    series: [
      { name: 'acquired', look: 'held', value: (step) => perSecond(step.acquired) },
      { name: 'timeouts', look: 'wait', marks: true, value: (step) => perSecond(step.timedOut) },
      { name: 'unavailable', look: 'off', marks: true, value: (step) => perSecond(step.unavailable) },
      { name: 'lost', look: 'bad', marks: true, value: (step) => perSecond(step.lost) },
    ],
  },
  {
    title: 'Mean wait and hold',
    said: (number) => (number === null || number === undefined ? '–' : duration(number)),
    least: 1,
    series: [
      { name: 'wait', look: 'wait', value: (step) => (step.acquired > 0 ? step.waitedMillis / step.acquired : null) },
      { name: 'hold', look: 'held', value: (step) => (step.released > 0 ? step.heldMillis / step.released : null) },
    ],
    extra: (steps) => longest(steps),
  },
  {
    title: 'Held and waiting',
    momentary: true,
    said: (number) => count(Math.round(number ?? 0)),
    least: 4,
    series: [
      { name: 'held', look: 'held', value: (step) => step.held },
      { name: 'waiting', look: 'wait', value: (step) => step.waiting },
    ],
  },
];

const histories = new Map();
let heardAt = -Infinity;
let recorded = [];
let present = null;

export function init() {
  keyed(byId('charts'), CHARTS, (chart) => chart.title, create, () => {});
}

/** Whether the application has recorded a step since its last report. */
export function due() {
  return performance.now() - heardAt >= STEP_MILLIS;
}

/** @param chosen the registry that is shown */
export function render({ registries, now }, chosen) {
  for (const { name, history } of registries) {
    if (history !== null) {
      histories.set(name, history);
      heardAt = performance.now();
    }
  }
  recorded = (histories.get(chosen.name) ?? []).filter((step) => step.at > now - SPAN_MILLIS && step.at <= now);
  present = { at: now, held: chosen.heldCount, waiting: chosen.awaitedCount };
  [...byId('charts').children].forEach((figure, i) => draw(figure, CHARTS[i]));
}

function perSecond(number) {
  return number / (STEP_MILLIS / 1000);
}

function create(chart) {
  const figure = el('figure', { class: 'panel chart' },
    el('figcaption', {}, el('h2', {}, chart.title), el('span', { class: 'muted small extra' })),
    el('div', { class: 'legend' },
      ...chart.series.map((series) => el('span', { 'data-look': series.look }, el('b', {}), ` ${series.name}`))),
    el('div', { class: 'plot' },
      svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img' },
        svg('path', { class: 'area', 'data-look': chart.series[0].look }),
        ...chart.series.map((series) =>
          svg('path', { class: series.marks ? 'marks' : 'stroke', 'data-look': series.look })),
        svg('path', { class: 'cursor' }))),
    el('div', { class: 'axis', 'aria-hidden': 'true' },
      el('span', {}, `${MINUTES} min ago`), el('span', {}, '10'), el('span', {}, '5'), el('span', {}, 'now')));
  const plot = figure.querySelector('.plot');
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
  const steps = chart.momentary && present ? [...recorded, present] : recorded;
  const rows = chart.series.map((series) => steps.map((step) => series.value(step)));
  const at = pointed(figure, steps);
  const highestOfAll = Math.max(0, ...rows.flat());
  drawLines(figure.querySelector('svg'), chart, steps, rows, Math.max(chart.least, highestOfAll) * 1.08, at);
  const entries = [...figure.querySelector('.legend').children];
  chart.series.forEach((series, i) => {
    text(entries[i].firstChild, chart.said(rows[i].at(at ?? -1)));
    show(entries[i], i === 0 || !series.marks || highest(rows[i]) > 0);
  });
  const peak = highestOfAll > 0 ? `peak ${chart.said(highestOfAll)}` : '';
  text(figure.querySelector('.extra'), at === null
    ? [chart.extra?.(steps) ?? '', peak].filter((each) => each !== '').join(', ') : `at ${timeOfDay(steps[at].at)}`);
}

function drawLines(picture, chart, steps, rows, top, at) {
  const [area, ...lines] = picture.children;
  const cursor = lines.pop();
  const whole = steps.length > 1 && !rows[0].includes(null) && steps.every((step, i) => !isGap(steps, i));
  attr(area, 'd', whole
    ? `${line(steps, rows[0], top)}L${across(steps.at(-1))} ${HEIGHT}L${across(steps[0])} ${HEIGHT}Z` : null);
  rows.forEach((values, i) =>
    attr(lines[i], 'd', chart.series[i].marks ? marks(steps, values, top) : line(steps, values, top)));
  attr(cursor, 'd', at === null ? null : `M${across(steps[at])} 0V${HEIGHT}`);
  attr(picture, 'aria-label', inWords(chart, rows));
}

/** The step nearest to the pointer, or null. */
function pointed(figure, steps) {
  if (figure.dataset.at === undefined || steps.length === 0) {
    return null;
  }
  const distance = (i) => Math.abs(across(steps[i]) - Number(figure.dataset.at) * WIDTH);
  return steps.reduce((nearest, step, i) => (distance(i) < distance(nearest) ? i : nearest), 0);
}

/** A line with gaps where there is no value. A single value between gaps is a dot. */
function line(steps, values, top) {
  return values.map((value, i) => {
    if (value === null) {
      return '';
    }
    const place = `${across(steps[i])} ${up(value, top)}`;
    return (values[i - 1] ?? null) === null || isGap(steps, i) ? `M${place}h.1` : `L${place}`;
  }).join('');
}

function isGap(steps, i) {
  return i > 0 && steps[i].at - steps[i - 1].at > GAP_MILLIS;
}

/** A stroke for each step with events, tall enough to be visible beside large numbers. */
function marks(steps, values, top) {
  return values.map((value, i) =>
    (value > 0 ? `M${across(steps[i])} ${HEIGHT}V${Math.min(up(value, top), HEIGHT - 12)}` : '')).join('');
}

function inWords(chart, rows) {
  const parts = chart.series.map((series, i) =>
    `${series.name} ${chart.said(rows[i].at(-1))} now, ${chart.said(highest(rows[i]))} at most`);
  return `${chart.title}, over ${MINUTES} minutes: ${parts.join('; ')}`;
}

function longest(steps) {
  const most = highest(steps.map((step) => step.longestWaitMillis));
  return most > 0 ? `longest wait ${duration(most)}` : '';
}

function highest(values) {
  return Math.max(0, ...values);
}

function across({ at }) {
  return (WIDTH * (1 - (clock.now() - at) / SPAN_MILLIS)).toFixed(1);
}

function up(value, top) {
  return (HEIGHT - (value / top) * (HEIGHT - 1)).toFixed(1);
}
