/** Script of every page, in its head: applies the theme that the visitor chose on this device, before anything is drawn. */
{
  const KEY = 'theme';
  const THEMES = ['light', 'dark'];

  /** Storage may be switched off. */
  const read = () => {
    try {
      return localStorage.getItem(KEY);
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

  apply(read());
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
    if (key === KEY) apply(read());
  });
}
