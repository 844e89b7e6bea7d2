/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** Creates an element. Children are elements or texts. Texts are never parsed as HTML, because some come from other processes. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Sets a text only if it differs, so that a screen reader does not repeat it. */
export function text(id, value) {
  const target = byId(id);
  if (target.textContent !== value) {
    target.textContent = value;
  }
}

/** Shows a message, or hides its element. */
export function message(id, value) {
  text(id, value ?? '');
  byId(id).hidden = !value;
}

/** A row of a table. The first cell is its header. */
export const row = (head, ...cells) =>
  element('tr', {}, element('th', { scope: 'row' }, head), ...cells.map((cell) => element('td', {}, cell)));

const shown = new WeakMap();

/** Fills an element with one child for each entry. If the entries have not changed, the element is not changed. */
export function fill(target, entries, toChild) {
  const key = JSON.stringify(entries);
  if (shown.get(target) !== key) {
    shown.set(target, key);
    target.replaceChildren(...entries.map(toChild));
  }
}
