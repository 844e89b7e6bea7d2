'use strict';

// protects against clickjacking: another site must not show this page in a frame
if (window.top !== window.self) {
  document.documentElement.hidden = true;
  throw new Error('The page is not shown in a frame');
}

// not a module: it must set the theme before the page is painted
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
      // the choice applies until the page is closed
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
