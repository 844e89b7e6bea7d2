/* The view, stored in the fragment of the address, so that a reload or a shared link shows the same view. */

const FIELDS = ['registry', 'search', 'under', 'free', 'offset', 'lock'];

export function read() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const view = Object.fromEntries(FIELDS.map((field) => [field, parts.get(field) ?? '']));
  view.under = view.under.replace(/\/+$/, '');
  view.offset = Math.max(0, Number.parseInt(view.offset, 10) || 0);
  return view;
}

export function write(view) {
  const parts = new URLSearchParams();
  for (const field of FIELDS) {
    if (view[field]) {
      parts.set(field, view[field]);
    }
  }
  const hash = parts.size > 0 ? `#${parts}` : '';
  if (location.hash !== hash) {
    history.replaceState(null, '', `${location.pathname}${location.search}${hash}`);
  }
}
