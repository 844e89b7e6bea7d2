/*
 * A page of locks. Locks in use come first, by their full names, in the order of the page. Sections for leaderships, jobs and free
 * locks follow, each with a row of its own that folds it; the free locks are folded by default. They form a tree, whose folders are
 * the common prefixes of the sorted names.
 * A folder with only one child shares a row with it. One row has the focus of the keyboard (roving tabindex).
 */

import * as clock from './clock.js';
import { attr, el, keyed, text } from './dom.js';
import { count, several, shown } from './format.js';

const DOTS = 6;
// cannot be the names of locks, which begin with a slash
const FREE = 'free';
const SECTIONS = { leaderships: 'Leaderships', jobs: 'Jobs' };
/** The groups of locks in use, in their order. */
export const GROUPS = ['', ...Object.keys(SECTIONS)];
// without a label for an exclusive lock
const KINDS = { READ: 'read', WRITE: 'write', PERMITS: 'permits' };

export class Tree {
  #list;
  #closed = new Set();
  #rows = [];
  #model = { page: [], free: 0, unfolded: false, under: '', opened: '' };
  #active = null;
  #act;

  /** @param act the actions: open(name), enter(folder), turn(pages), unfold(whether free locks are shown) */
  constructor(list, act) {
    this.#list = list;
    this.#act = act;
    list.addEventListener('keydown', (event) => this.#key(event));
    list.addEventListener('click', (event) => this.#click(event));
    list.addEventListener('focus', () => this.focus());
  }

  /**
   * @param model page: the locks; free: the number of free locks, if their row is on the page; unfolded: whether they are shown;
   * under: the folder they are in; opened: the lock whose queue is shown
   */
  render(model) {
    this.#model = model;
    this.#rows = [...usedRows(model, this.#closed), ...freeRows(model, this.#closed)];
    number(this.#rows);
    if (!this.#rows.some((row) => row.key === this.#active)) {
      this.#active = this.#rows.find((row) => row.key === model.opened)?.key ?? this.#rows[0]?.key ?? null;
    }
    const focused = this.#list.contains(document.activeElement);
    keyed(this.#list, this.#rows, (row) => row.key, create, (node, row) => this.#update(node, row));
    // the focused row was removed: keep the focus in the tree
    if (focused && !this.#list.contains(document.activeElement)) {
      this.#node(this.#active)?.focus({ preventScroll: true });
    }
  }

  /** Moves the focus to the row that had it last. */
  focus() {
    this.#node(this.#active)?.focus();
  }

  #update(node, row) {
    const { lock } = row;
    node.style.setProperty('--level', row.level);
    node.dataset.row = row.key;
    node.dataset.path = row.path;
    attr(node, 'aria-level', row.level);
    attr(node, 'aria-setsize', row.size);
    attr(node, 'aria-posinset', row.position);
    attr(node, 'aria-expanded', row.folder ? String(row.open) : null);
    attr(node, 'aria-selected', lock ? String(row.path === this.#model.opened) : null);
    attr(node, 'data-held', (lock?.queue?.holding ?? 0) > 0);
    attr(node, 'data-role', lock?.group || null);
    attr(node, 'tabindex', row.key === this.#active ? 0 : -1);
    const [, label, kind, here, only, line, since, holder] = node.children;
    text(label, shown(row.label));
    label.title = shown(row.path);
    text(kind, KINDS[lock?.queue?.kind] ?? '');
    text(here, lock?.here ?? '');
    only.hidden = !row.folder || !row.path.startsWith('/') || row.path === this.#model.under;
    attr(only, 'tabindex', row.key === this.#active ? 0 : -1);
    attr(only, 'aria-label', `Only ${shown(row.path)}`);
    renderLine(line, row);
    clock.since(since, lock?.group === 'leaderships' ? NaN : Date.parse(lock?.queue?.waitingSince));
    text(holder, lock ? holderText(lock) : '');
    holder.title = holder.textContent;
  }

  #click(event) {
    const node = event.target.closest('[role=treeitem]');
    if (node === null) {
      return;
    }
    const row = this.#row(node.dataset.row);
    this.#move(row);
    if (event.target.closest('.only')) {
      this.#act.enter(row.path);
    } else if (event.target.closest('.twist') || !row.lock) {
      this.#toggle(row);
    } else {
      this.#act.open(row.path);
    }
  }

  #key(event) {
    const row = this.#row(event.target.closest('[role=treeitem]')?.dataset.row);
    if (!row || event.altKey || event.ctrlKey || event.metaKey || event.target.closest('.only')) {
      return;
    }
    const at = this.#rows.indexOf(row);
    const keys = {
      ArrowDown: () => this.#move(this.#rows[at + 1]),
      ArrowUp: () => this.#move(this.#rows[at - 1]),
      Home: () => this.#move(this.#rows[0]),
      End: () => this.#move(this.#rows.at(-1)),
      PageDown: () => this.#act.turn(1),
      PageUp: () => this.#act.turn(-1),
      ArrowRight: () => (row.folder && !row.open ? this.#toggle(row) : row.folder && this.#move(this.#rows[at + 1])),
      ArrowLeft: () => (row.folder && row.open ? this.#toggle(row) : this.#move(this.#row(row.parent))),
      Enter: () => (row.lock ? this.#act.open(row.path) : this.#toggle(row)),
      ' ': () => (row.folder ? this.#toggle(row) : this.#act.open(row.path)),
    };
    if (event.key in keys) {
      event.preventDefault();
      keys[event.key]();
    }
  }

  #toggle(row) {
    if (row.path === FREE) {
      this.#act.unfold(!row.open);
      return;
    }
    if (!this.#closed.delete(row.path)) {
      this.#closed.add(row.path);
    }
    this.render(this.#model);
  }

  #move(row) {
    if (row) {
      attr(this.#node(this.#active) ?? this.#list, 'tabindex', -1);
      this.#active = row.key;
      const node = this.#node(row.key);
      attr(node, 'tabindex', 0);
      node.focus({ preventScroll: true });
      node.scrollIntoView({ block: 'nearest' });
    }
  }

  #row(key) {
    return this.#rows.find((row) => row.key === key);
  }

  #node(key) {
    return [...this.#list.children].find((node) => node.dataset.row === key);
  }
}

function usedRows({ page }, closed) {
  return GROUPS.flatMap((group) => {
    const locks = page.filter((lock) => lock.queue !== null && lock.group === group);
    if (group === '' || locks.length === 0) {
      return locks.map((lock) => usedRow(lock, 1, null));
    }
    const open = !closed.has(group);
    const head = section(group, SECTIONS[group], open);
    return open ? [head, ...locks.map((lock) => usedRow(lock, 2, group))] : [head];
  });
}

function usedRow(lock, level, parent) {
  return { key: lock.name, path: lock.name, label: lock.name, lock, folder: false, open: false, level, parent, inside: 0 };
}

function section(key, label, open) {
  return { key, path: key, label, lock: null, folder: true, open, level: 1, parent: null, inside: 0 };
}

/** Adds the position of each row among the rows with the same parent. */
function number(rows) {
  const siblings = new Map();
  for (const row of rows) {
    const those = siblings.get(row.parent) ?? [];
    siblings.set(row.parent, those);
    row.position = those.push(row);
  }
  rows.forEach((row) => {
    row.size = siblings.get(row.parent).length;
  });
}

function freeRows({ page, free, unfolded, under }, closed) {
  if (free === 0) {
    return [];
  }
  const head = section(FREE, several(free, 'free lock', 'free locks'), unfolded);
  return unfolded ? [head, ...flatten(grow(page.filter((lock) => lock.queue === null), under), closed)] : [head];
}

function grow(page, under) {
  const root = { path: under, children: new Map(), lock: null };
  for (const lock of page) {
    let node = root;
    const below = lock.name.slice(under.length).split('/').filter((segment) => segment !== '');
    for (const segment of below.length > 0 ? below : [lock.name]) {
      const path = below.length > 0 ? `${node.path}/${segment}` : lock.name;
      if (!node.children.has(segment)) {
        node.children.set(segment, { path, label: segment, children: new Map(), lock: null });
      }
      node = node.children.get(segment);
    }
    node.lock = lock;
  }
  return root;
}

function isLock(node) {
  return node.lock !== null;
}

function flatten(root, closed) {
  const rows = [];
  const visit = (parent, level, parentKey) => {
    const children = [...parent.children.values()].map(joined);
    children.forEach((node) => {
      const folder = node.children.size > 0;
      const open = folder && !closed.has(node.path);
      // a folder may have the path of a lock in use; no name ends with a slash
      const key = isLock(node) ? node.path : `${node.path}/`;
      rows.push({ ...node, key, folder, open, level, parent: parentKey, inside: folder && !open ? inside(node) : 0 });
      if (open) {
        visit(node, level + 1, key);
      }
    });
  };
  visit(root, 2, FREE);
  return rows;
}

function joined(node) {
  let last = node;
  let label = node.label;
  while (!isLock(last) && last.children.size === 1) {
    [last] = last.children.values();
    label = `${label}/${last.label}`;
  }
  return { ...last, label, lock: isLock(last) ? last.lock : null };
}

function inside(node) {
  return [...node.children.values()].reduce((sum, child) => sum + (isLock(child) ? 1 : 0) + inside(child), 0);
}

function create() {
  return el('li', { role: 'treeitem' },
    el('span', { class: 'twist', 'aria-hidden': 'true' }),
    el('span', { class: 'label' }),
    el('span', { class: 'chip kind' }),
    el('span', { class: 'chip here' }),
    el('button', { type: 'button', class: 'quiet only' }, 'only this'),
    el('span', { class: 'line' }),
    el('time', { class: 'wait muted' }),
    el('span', { class: 'holder muted' }));
}

/** A summary of the queue: a full dot for each holder, an empty dot for each waiter. */
function renderLine(line, row) {
  if (!row.lock) {
    delete line.dataset.words;
    text(line, row.inside > 0 ? `${several(row.inside, 'lock', 'locks')} on this page` : '');
    return;
  }
  const { holding = 0, waiting = 0 } = row.lock.queue ?? {};
  const waits = row.lock.group === 'leaderships' ? several(waiting, 'candidate', 'candidates') : `${count(waiting)} waiting`;
  const words = row.lock.queue === null ? 'free' : `${several(holding, 'holder', 'holders')}, ${waits}`;
  if (line.dataset.words === words) {
    return;
  }
  line.dataset.words = words;
  const full = Math.min(holding, DOTS);
  const dots = '●'.repeat(full) + '○'.repeat(Math.min(waiting, DOTS - full));
  line.replaceChildren(
    el('span', { class: 'dots', 'aria-hidden': 'true' }, dots),
    el('span', { class: waiting > 0 ? 'waiting' : 'unseen' }, waiting > 0 ? waits : words));
}

function holderText({ queue }) {
  if (queue === null) {
    return 'free';
  }
  if (queue.problem) {
    return shown(queue.problem);
  }
  if (queue.holding === 0) {
    return 'handed over';
  }
  const { holder, holding } = queue;
  const more = holding > 1 ? ` +${count(holding - 1)}` : '';
  return holder ? `${shown(holder.instance)} · ${shown(holder.thread)}${more}` : `owner unknown${more}`;
}
