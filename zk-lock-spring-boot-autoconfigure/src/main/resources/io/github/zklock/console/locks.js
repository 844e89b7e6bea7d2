/* The locks of the cluster: search, folders and pages around the tree. The server searches and cuts. */

import { byId, el, keyed, show, text } from './dom.js';
import { age, count, several, shown } from './format.js';
import { Tree } from './tree.js';

export const PAGE = 50;
const TYPING_MILLIS = 200;

export class LocksPanel {
  #tree;
  #view;
  #change;
  #total = 0;

  /** @param view what is looked at; @param change tells that it changed; @param open shows the queue of a lock */
  constructor(view, change, open) {
    this.#view = view;
    this.#change = change;
    this.#tree = new Tree(byId('tree'), {
      open,
      enter: (folder) => this.#look({ under: folder, offset: 0 }),
      turn: (pages) => this.#turn(pages),
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

  /** What to ask the server for. */
  query() {
    const { registry, search, under, offset } = this.#view;
    return { registry, search, under, offset, limit: PAGE };
  }

  render(locks, now) {
    this.#total = locks.total;
    if (locks.page.length === 0 && locks.offset > 0 && locks.takenAt > 0) {
      this.#look({ offset: PAGE * Math.max(0, Math.floor((locks.total - 1) / PAGE)) });
      return;
    }
    const { search, under } = this.#view;
    const known = several(locks.known, 'name', 'names');
    const found = search || under ? `${count(locks.total)} of ${known}` : known;
    text(byId('locks-count'), locks.truncated ? `${found}, more are not shown` : found);
    this.#renderProblem(locks, now);
    this.#renderCrumbs(under);
    this.#renderPages(locks);
    text(byId('locks-empty'), search || under ? 'No lock has such a name.' : 'Nobody holds or awaits a lock.');
    show(byId('locks-empty'), locks.total === 0);
    this.draw(locks.page);
  }

  /** The tree alone, of the page that is known or of another one. */
  draw(page = this.page) {
    this.page = page;
    this.#tree.render({ page: page ?? [], under: this.#view.under, opened: this.#view.lock });
  }

  refused(error) {
    text(byId('locks-problem'), error.message);
    show(byId('locks-problem'), true);
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

  #renderProblem(locks, now) {
    const old = `What is shown is ${age(now - locks.takenAt)} old.`;
    text(byId('locks-problem'), locks.problem ? `${shown(locks.problem)}. ${locks.takenAt > 0 ? old : ''}` : '');
    show(byId('locks-problem'), Boolean(locks.problem));
  }

  #renderCrumbs(under) {
    const segments = under.split('/').filter((segment) => segment !== '');
    const crumbs = [{ label: 'All', folder: '' },
      ...segments.map((label, i) => ({ label, folder: `/${segments.slice(0, i + 1).join('/')}` }))];
    keyed(byId('crumbs'), crumbs, (crumb) => crumb.folder,
      (crumb) => el('button', { type: 'button', class: 'quiet', 'data-folder': crumb.folder }, shown(crumb.label)), () => {});
    show(byId('crumbs'), segments.length > 0);
  }

  #renderPages({ offset, page, total }) {
    show(byId('pages'), total > PAGE || offset > 0);
    byId('previous').disabled = offset === 0;
    byId('next').disabled = offset + page.length >= total;
    text(byId('page-range'), `${count(offset + 1)} to ${count(offset + page.length)} of ${several(total, 'name', 'names')}`);
  }
}
