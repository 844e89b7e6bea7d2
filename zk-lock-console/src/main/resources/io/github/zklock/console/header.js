/* The instance that responds, and the state of its session. */

import { attr, byId, el, keyed, show, text } from './dom.js';
import { duration, shown } from './format.js';

export function render(state, registry) {
  text(byId('instance'), shown(state.instance));
  document.title = `Locks · ${shown(state.instance)}`;
  renderChoice(state.registries, registry.name);
  renderSession(registry);
}

/** Shows that the application does not respond, so that the state is unknown. */
export function renderUnreachable() {
  chip('bad', 'Not reachable', '', 0);
}

/** The state of the locks that depend on a session. */
export function mood(registry) {
  const { connected, id, remainingMillis } = registry.session;
  const used = registry.heldCount > 0 || registry.awaitedCount > 0;
  if (!connected) {
    return id === '' && !used ? 'idle' : 'disconnected';
  }
  return remainingMillis <= 0 && registry.heldCount > 0 ? 'suspended' : 'connected';
}

function renderChoice(registries, chosen) {
  const select = byId('registry');
  keyed(select, registries, (each) => each.name,
    (each) => el('option', { value: each.name }, shown(each.name)), () => {});
  if (select.value !== chosen) {
    select.value = chosen;
  }
  show(byId('registry-choice'), registries.length > 1);
}

function renderSession(registry) {
  const { id, remainingMillis, timeoutMillis } = registry.session;
  const proof = remainingMillis > 0 ? `proven for ${duration(remainingMillis)}` : 'not proven';
  const share = timeoutMillis > 0 ? Math.min(1, remainingMillis / timeoutMillis) : 0;
  byId('session').title = id === '' ? 'No session yet' : `Session 0x${id}, timeout ${duration(timeoutMillis)}`;
  switch (mood(registry)) {
    case 'connected':
      return chip('good', 'Connected', remainingMillis > 0 ? proof : '', share);
    case 'suspended':
      return chip('bad', 'SUSPENDED', proof, share);
    case 'disconnected':
      return chip('bad', 'Disconnected', proof, share);
    default:
      return chip('idle', 'No session yet', '', 0);
  }
}

function chip(look, title, proof, share) {
  attr(byId('session'), 'data-mood', look);
  text(byId('session-state'), title);
  text(byId('session-proof'), proof);
  byId('session-meter').style.width = `${Math.round(share * 100)}%`;
}
