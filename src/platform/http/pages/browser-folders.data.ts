/** Folders whose files are served to browsers without the Worker: the exceptions of `run_worker_first` in wrangler.toml. No endpoint lies in them. */
export const BROWSER_FOLDERS = ['docs/assets', 'live', 'ui'] as const;
