// Build step of wrangler.toml: prepares the checkout for `npx wrangler dev`. Does nothing for other commands, or below `npm start`, which
// prepares the checkout itself. Runs on Node 20 as well, and imports nothing unless needed, because it also runs after each change in `src`.
if (process.env.WRANGLER_COMMAND === 'dev' && !process.env.PREPARED_BY_START) {
  const { runMain } = await import('./lib/main.ts');
  await runMain(async () => {
    const { prepareForWrangler } = await import('./lib/dev/wrangler-setup.ts');
    await prepareForWrangler();
  });
}
