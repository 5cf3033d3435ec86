// Runs before the first paint, so that a dark page does not flash white. A file, because the policy allows no inline script.
(() => {
  const stored = localStorage.getItem('mantine-color-scheme-value');
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
