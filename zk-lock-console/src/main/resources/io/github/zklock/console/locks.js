/*
 * The locks of the cluster: search, folders and pages around the tree. Locks in use come first, the longest wait at the top, then
 * leaderships and jobs.
 */

import { byId, el, keyed, show, text } from './dom.js';
import { age, count, several, shown } from './format.js';
import { leads } from './here.js';
import { GROUPS, Tree } from './tree.js';

const PAGE = 50;
const TYPING_MILLIS = 200;
const SLOW_MILLIS = 10_000;

export class LocksPanel {
  #tree;
  #view;
  #change;
  #sweep;
  #here = new Map();
  #roles = new Map();
  #total = 0;

  /**
   * @param view the filter and the page; @param sweep the names that were read; @param change is called after the view has changed;
   * @param open shows the queue of a lock
   */
  constructor(view, sweep, change, open) {
    this.#view = view;
    this.#sweep = sweep;
    this.#change = change;
    this.#tree = new Tree(byId('tree'), {
      open,
      enter: (folder) => this.#look({ under: folder, offset: 0 }),
      turn: (pages) => this.#turn(pages),
      unfold: (unfolded) => this.#look({ free: unfolded ? 'shown' : 'folded', offset: 0 }),
    });
    byId('previous').addEventListener('click', () => this.#turn(-1));
    byId('next').addEventListener('click', () => this.#turn(1));
    byId('crumbs').addEventListener('click', (event) => {
      const folder = event.target.closest('button')?.dataset.folder;
      if (folder !== undefined) {
        this.#look({ under: folder, offset: 0 });
      }
    });
    this.#listenToSearch();
  }

  focus() {
    this.#tree.focus();
  }

  /** @param registry the locks that this process holds and waits for; @param state the leaderships and jobs of this process */
  render(registry, { leaderships, jobs }) {
    this.#roles = new Map([...jobs.map((each) => [each.name, 'jobs']),
      ...leaderships.map((each) => [each.name, 'leaderships'])]);
    this.#here = new Map([...registry.awaited.map((each) => [each.name, 'waiting here']),
      ...registry.held.map((each) => [each.name, 'held here']),
      ...leaderships.map((each) => [each.name, each.leader ? 'leads here' : 'candidate here'])]);
    show(byId('locks-problem'), false);
    this.draw();
  }

  /** Draws the names that were read, with the current view. */
  draw() {
    const { search, under } = this.#view;
    const { rows, complete, truncated, tookMillis } = this.#sweep;
    const wanted = search.toLowerCase();
    const folders = foldersOf(rows.keys());
    const known = [...rows.values()].filter(({ name, queue }) => queue !== null || !folders.has(name));
    const found = known.filter(({ name }) => name.toLowerCase().includes(wanted));
    const used = found.filter(({ queue }) => queue !== null)
      .map((row) => ({ ...row, group: this.#roles.get(row.name) ?? (leads(row.queue.holder) ? 'leaderships' : '') }))
      .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || troubleFirst(a, b));
    const free = found.filter(({ queue }) => queue === null).sort((a, b) => (a.name < b.name ? -1 : 1));
    // a search or a folder shows free locks too
    const unfolded = this.#view.free === 'shown' || (this.#view.free === '' && (search !== '' || under !== ''));
    const listed = unfolded ? [...used, ...free] : used;
    this.#total = listed.length;
    if (complete && this.#view.offset >= listed.length && this.#view.offset > 0) {
      this.#look({ offset: PAGE * Math.max(0, Math.floor((listed.length - 1) / PAGE)) });
      return;
    }
    const { offset } = this.#view;
    const page = listed.slice(offset, offset + PAGE);
    this.#tree.render({
      page: page.map((row) => ({ ...row, here: this.#here.get(row.name) })),
      free: offset + PAGE >= used.length ? free.length : 0,
      unfolded,
      under,
      opened: this.#view.lock,
    });
    this.#renderCount(found.length, known.length, complete, truncated, tookMillis);
    this.#renderCrumbs(under);
    this.#renderPages(offset, page.length, listed.length);
    text(byId('locks-empty'), search || under ? 'No lock name matches.' : 'There is no lock.');
    show(byId('locks-empty'), complete && found.length === 0);
  }

  refused(error) {
    text(byId('locks-problem'), `${shown(error.message)}${this.#sweep.rows.size > 0 ? '. The list shows an earlier state.' : ''}`);
    show(byId('locks-problem'), true);
    this.draw();
  }

  #listenToSearch() {
    const input = byId('search');
    let typing = 0;
    input.value = this.#view.search;
    const look = () => {
      clearTimeout(typing);
      if (input.value !== this.#view.search) {
        this.#look({ search: input.value, offset: 0 });
      }
    };
    input.addEventListener('input', () => {
      clearTimeout(typing);
      typing = setTimeout(look, TYPING_MILLIS);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === 'ArrowDown') {
        event.preventDefault();
        look();
        this.#tree.focus();
      } else if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        input.value = '';
        look();
        this.#tree.focus();
      }
    });
  }

  #look(part) {
    Object.assign(this.#view, part);
    this.#change();
  }

  #turn(pages) {
    const offset = this.#view.offset + pages * PAGE;
    if (offset >= 0 && offset < this.#total) {
      this.#look({ offset });
    }
  }

  #renderCount(found, known, complete, truncated, tookMillis) {
    const names = several(known, 'name', 'names');
    const parts = [found < known ? `${count(found)} of ${names}` : names];
    if (truncated) {
      parts.push('more are not shown');
    }
    if (!complete) {
      parts.push('reading');
    } else if (tookMillis > SLOW_MILLIS) {
      parts.push(`read within ${age(tookMillis)}`);
    }
    text(byId('locks-count'), parts.join(', '));
  }

  #renderCrumbs(under) {
    const segments = under.split('/').filter((segment) => segment !== '');
    const crumbs = [{ label: 'All', folder: '' },
      ...segments.map((label, i) => ({ label, folder: `/${segments.slice(0, i + 1).join('/')}` }))];
    keyed(byId('crumbs'), crumbs, (crumb) => crumb.folder,
      (crumb) => el('button', { type: 'button', class: 'quiet', 'data-folder': crumb.folder }, shown(crumb.label)), () => {});
    show(byId('crumbs'), segments.length > 0);
  }

  #renderPages(offset, shownRows, total) {
    show(byId('pages'), total > PAGE || offset > 0);
    byId('previous').disabled = offset === 0;
    byId('next').disabled = offset + shownRows >= total;
    text(byId('page-range'), `${count(offset + 1)} to ${count(offset + shownRows)} of ${several(total, 'name', 'names')}`);
  }
}

/** The names that are folders of other names. Without a queue of their own they are not free locks. */
function foldersOf(names) {
  const folders = new Set();
  for (const name of names) {
    for (let end = name.lastIndexOf('/'); end > 0 && !folders.has(name.slice(0, end)); end = name.lastIndexOf('/', end - 1)) {
      folders.add(name.slice(0, end));
    }
  }
  return folders;
}

/** Waiters first, by the start of the longest wait, then by name. An unknown start sorts last. */
function troubleFirst(a, b) {
  return (b.queue.waiting > 0) - (a.queue.waiting > 0)
    || waitStart(a.queue) - waitStart(b.queue)
    || b.queue.waiting - a.queue.waiting
    || (a.name < b.name ? -1 : 1);
}

function waitStart({ waitingSince }) {
  const start = Date.parse(waitingSince);
  return Number.isFinite(start) ? start : Number.MAX_SAFE_INTEGER;
}
