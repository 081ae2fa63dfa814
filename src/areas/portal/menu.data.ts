export interface MenuEntry {
  path: string;
  label: string;
  audience: 'everyone' | 'superuser';
}

/** Entries of the menu, in order. */
const MENU: readonly MenuEntry[] = [
  { path: '/portal/tokens', label: 'Tokens', audience: 'everyone' },
  { path: '/portal/usage', label: 'Usage', audience: 'everyone' },
  { path: '/portal/webhooks', label: 'Webhooks', audience: 'everyone' },
  { path: '/portal/projects', label: 'Your mods', audience: 'everyone' },
  { path: '/portal/giveaways', label: 'Giveaways', audience: 'everyone' },
  { path: '/portal/account', label: 'Account', audience: 'everyone' },
  { path: '/portal/sessions', label: 'Sessions', audience: 'everyone' },
  { path: '/portal/admin', label: 'Overview', audience: 'superuser' },
  { path: '/portal/admin/users', label: 'Users', audience: 'superuser' },
  { path: '/portal/admin/usage', label: 'All usage', audience: 'superuser' },
  { path: '/portal/admin/settings', label: 'Settings', audience: 'superuser' },
  { path: '/portal/admin/jobs', label: 'Jobs', audience: 'superuser' },
  { path: '/portal/admin/interest-items', label: 'Interest items', audience: 'superuser' },
  { path: '/portal/admin/supporters', label: 'Supporters', audience: 'superuser' },
  { path: '/portal/admin/ingest', label: 'Ingest', audience: 'superuser' },
  { path: '/portal/admin/mods', label: 'Mods', audience: 'superuser' },
  { path: '/portal/admin/giveaways', label: 'Giveaways', audience: 'superuser' },
];

export function menuFor(audience: MenuEntry['audience']): MenuEntry[] {
  return MENU.filter((entry) => entry.audience === audience);
}

export const labelOf = (path: string): string | undefined => MENU.find((entry) => entry.path === path)?.label;
