/* Formats of numbers and texts. */

const LONGEST_SHOWN = 300;
// characters that hide, reorder or break the surrounding text
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
const NUMBER = new Intl.NumberFormat('en-US');

/** A text from another process: invisible characters are escaped, and long text is cut. */
export function shown(value) {
  const plain = String(value ?? '');
  const cut = plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN)}… (${count(plain.length)} characters)` : plain;
  return cut.replace(UNSEEN, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, '0')}`);
}

export function count(value) {
  return NUMBER.format(value);
}

export function several(number, one, many) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function rate(perSecond) {
  if (perSecond === 0) {
    return '0/s';
  }
  return `${perSecond < 10 ? perSecond.toFixed(1) : count(Math.round(perSecond))}/s`;
}

/** A measured time, with more digits if it is short. */
export function duration(millis) {
  if (millis < 1) {
    return millis === 0 ? '0 ms' : '< 1 ms';
  }
  if (millis < 1000) {
    return `${Math.round(millis)} ms`;
  }
  if (millis < 10_000) {
    return `${(millis / 1000).toFixed(1)} s`;
  }
  return age(millis);
}

/** An elapsed time, to the second. */
export function age(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return `${minutes} min ${two(seconds % 60)} s`;
  }
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${two(minutes % 60)} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export function timeOfDay(epochMillis) {
  const date = new Date(epochMillis);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

export function dayAndTime(epochMillis) {
  const date = new Date(epochMillis);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(epochMillis)}`;
}

function two(number) {
  return String(number).padStart(2, '0');
}
