/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/** A new element; children are elements or texts. Texts stay texts: some of them come from other processes. */
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

/** Shows a message, or hides the place where it stood. */
export function message(id, value) {
  text(id, value ?? '');
  byId(id).hidden = !value;
}

/** A table's row; the first cell is its head. */
export const row = (head, ...cells) =>
  element('tr', {}, element('th', { scope: 'row' }, head), ...cells.map((cell) => element('td', {}, cell)));

const shown = new WeakMap();

/** Fills an element with one child for each entry, and leaves it alone while the entries stay the same. */
export function fill(target, entries, toChild) {
  const key = JSON.stringify(entries);
  if (shown.get(target) !== key) {
    shown.set(target, key);
    target.replaceChildren(...entries.map(toChild));
  }
}
