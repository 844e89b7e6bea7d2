const whole = new Intl.NumberFormat('en');
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const longDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' });

export const number = (value) => whole.format(value);
export const rate = (value) => tenths.format(value);
export const amount = (cents) => money.format(cents / 100);
export const time = (instant) => clock.format(new Date(instant));
export const dayName = (day) => longDay.format(new Date(`${day}T00:00:00Z`));
export const orders = (count) => `${number(count)} ${count === 1 ? 'order' : 'orders'}`;
export const signed = (value, shown = number) => (value > 0 ? '+' : value < 0 ? '−' : '') + shown(Math.abs(value));

/** The time since an instant, as text. */
export function since(instant) {
  const seconds = Math.max(0, (Date.now() - new Date(instant).getTime()) / 1000);
  if (seconds < 60) {
    return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  }
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : time(instant);
}

/** A day in the format of the shop. */
export function isoDay(date) {
  const two = (value) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
