'use strict';

// a page that releases locks is not shown inside a page of somebody else, where a click may mean something else
if (window.top !== window.self) {
  document.documentElement.hidden = true;
  throw new Error('The page is not shown in a frame');
}

// not a module: it runs before the page is painted, so that nobody sees the other theme first
(() => {
  const KEY = 'zk-lock-theme';
  const THEMES = ['system', 'light', 'dark'];
  const root = document.documentElement;

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch (forbidden) {
      return null;
    }
  }

  function store(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch (forbidden) {
      // the choice lasts as long as the page
    }
  }

  function apply(theme) {
    root.dataset.theme = theme;
    const button = document.getElementById('theme');
    if (button) {
      button.textContent = `Theme: ${theme}`;
    }
  }

  apply(THEMES.includes(stored()) ? stored() : 'system');
  document.addEventListener('DOMContentLoaded', () => {
    apply(root.dataset.theme);
    document.getElementById('theme').addEventListener('click', () => {
      const next = THEMES[(THEMES.indexOf(root.dataset.theme) + 1) % THEMES.length];
      store(next);
      apply(next);
    });
  });
})();
