/*
 * Elements from data. Names, threads and instances come from other processes, so they are only inserted as text. Existing
 * elements are kept, so that focus, selection and scroll positions survive an update.
 */

const SVG = 'http://www.w3.org/2000/svg';
const keyedNodes = new WeakMap();

export const byId = (id) => document.getElementById(id);

export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Sets an attribute; null and false remove it. */
export function attr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value === true ? '' : value);
  }
}

export function text(node, value) {
  if (node.textContent !== value) {
    node.textContent = value;
  }
}

export function show(node, visible) {
  node.hidden = !visible;
}

/** Updates the children of a node to the items. The child of a key is kept and moved to its new place. */
export function keyed(parent, items, keyOf, create, update) {
  const before = keyedNodes.get(parent) ?? new Map();
  const now = new Map();
  for (const item of items) {
    const key = freeKey(now, keyOf(item));
    const node = before.get(key) ?? create(item);
    update(node, item);
    now.set(key, node);
  }
  const focused = document.activeElement;
  for (const [key, node] of before) {
    if (!now.has(key)) {
      node.remove();
    }
  }
  let place = parent.firstChild;
  for (const node of now.values()) {
    if (node === place) {
      place = place.nextSibling;
    } else {
      parent.insertBefore(node, place);
    }
  }
  keyedNodes.set(parent, now);
  if (focused !== document.activeElement && focused?.isConnected) {
    focused.focus({ preventScroll: true });
  }
  return now;
}

function freeKey(taken, wanted) {
  let key = wanted;
  for (let i = 2; taken.has(key); i++) {
    key = `${wanted} ${i}`;
  }
  return key;
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    attr(node, name, value);
  }
  node.append(...children);
  return node;
}
