/* The last minutes of this instance: three small charts, each with its numbers in words. */

import { attr, byId, el, keyed, show, svg, text } from './dom.js';
import { count, duration, rate, several, timeOfDay } from './format.js';

const WIDTH = 300;
const HEIGHT = 64;

const CHARTS = [
  {
    title: 'Acquisitions',
    said: (number) => rate(number ?? 0),
    least: 1,
    series: [
      { name: 'acquired', look: 'held', value: (point, step) => point.acquired / step },
      { name: 'timeouts', look: 'wait', marks: true, value: (point, step) => point.timeouts / step },
      { name: 'unavailable', look: 'off', marks: true, value: (point, step) => point.unavailable / step },
      { name: 'lost', look: 'bad', marks: true, value: (point, step) => point.losses / step },
    ],
  },
  {
    title: 'Mean wait and hold',
    said: (number) => (number === null || number === undefined ? '–' : duration(number)),
    least: 1,
    series: [
      { name: 'wait', look: 'wait', value: (point) => (point.acquired > 0 ? point.waitMeanMillis : null) },
      { name: 'hold', look: 'held', value: (point) => (point.holdMeanMillis > 0 ? point.holdMeanMillis : null) },
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

let shownHistory = { stepMillis: 5000, points: [] };

export function init() {
  keyed(byId('charts'), CHARTS, (chart) => chart.title, create, () => {});
}

export function render(history) {
  shownHistory = history;
  [...byId('charts').children].forEach((figure, i) => draw(figure, CHARTS[i]));
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
  const { stepMillis } = shownHistory;
  // the last step is still filling
  const points = chart.momentary ? shownHistory.points : shownHistory.points.slice(0, -1);
  const rows = chart.series.map((series) => points.map((point) => series.value(point, stepMillis / 1000)));
  const at = pointed(figure, points.length);
  const highestOfAll = Math.max(0, ...rows.flat());
  drawLines(figure.querySelector('svg'), chart, rows, Math.max(chart.least, highestOfAll) * 1.08, at);
  const entries = [...figure.querySelector('.legend').children];
  chart.series.forEach((series, i) => {
    text(entries[i].firstChild, chart.said(rows[i].at(at ?? -1)));
    show(entries[i], i === 0 || !series.marks || highest(rows[i]) > 0);
  });
  text(entries.at(-1), `top ${chart.said(highestOfAll)}`);
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

/** A line that has gaps where nothing was measured; what was measured alone is a dot. */
function line(values, top) {
  return values.map((value, i) => {
    if (value === null) {
      return '';
    }
    const place = `${across(i, values.length)} ${up(value, top)}`;
    return (values[i - 1] ?? null) === null ? `M${place}h.1` : `L${place}`;
  }).join('');
}

/** A stroke for each step in which something happened, tall enough to be seen beside large numbers. */
function marks(values, top) {
  return values.map((value, i) =>
    (value > 0 ? `M${across(i, values.length)} ${HEIGHT}V${Math.min(up(value, top), HEIGHT - 12)}` : '')).join('');
}

function inWords(chart, rows) {
  const minutes = Math.round(shownHistory.points.length * shownHistory.stepMillis / 60_000);
  const parts = chart.series.map((series, i) =>
    `${series.name} ${chart.said(rows[i].at(-1))} now, ${chart.said(highest(rows[i]))} at most`);
  return `${chart.title}, over ${several(minutes, 'minute', 'minutes')}: ${parts.join('; ')}`;
}

function longest(points) {
  const times = [points.map((point) => point.waitMaxMillis), points.map((point) => point.holdMaxMillis)].map(highest);
  return highest(times) > 0 ? `longest ${times.map(duration).join(' / ')}` : '';
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
