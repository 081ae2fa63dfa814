/**
 * Script of every page, in its head: applies what this device remembers before anything is drawn, so that nothing moves afterwards: the
 * theme that the visitor chose, whether an account is signed in, and whether there is a row of followed things.
 */
{
  const KEY = 'theme';
  const THEMES = ['light', 'dark'];
  /** Keys of `signed-in.js` and `followed.js`. */
  const SIGNED_IN = 'signed-in';
  const FOLLOWED = ['followed-items', 'my-player'];

  /** Storage may be switched off. */
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const keep = (theme) => {
    try {
      if (theme === '') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {}
  };
  const apply = (theme) => {
    if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };

  apply(read(KEY));
  if (read(SIGNED_IN) !== null) document.documentElement.dataset.account = '';
  if (FOLLOWED.some((key) => read(key) !== null)) document.documentElement.dataset.followed = '';
  document.addEventListener('DOMContentLoaded', () => {
    const choice = document.getElementById('theme');
    if (!choice) return;
    choice.value = document.documentElement.dataset.theme ?? '';
    choice.addEventListener('change', () => {
      keep(choice.value);
      apply(choice.value);
    });
    document.getElementById('theme-choice').hidden = false;
  });
  // Another tab of the same device.
  addEventListener('storage', ({ key }) => {
    if (key === KEY) apply(read(KEY));
  });
}
