// Build step of wrangler.toml outside its environments: prepares the checkout for `npx wrangler dev`, and refuses `npx wrangler deploy`, which
// would deploy the settings of local runs. Does nothing below `npm start`, which prepares the checkout itself. Runs on Node 20 as well, and imports nothing unless needed, because it also runs after each change in `src`.
if (process.env.WRANGLER_COMMAND === 'dev' && !process.env.PREPARED_BY_START) {
  const { runMain } = await import('./lib/main.ts');
  await runMain(async () => {
    const { prepareForWrangler } = await import('./lib/dev/wrangler-setup.ts');
    await prepareForWrangler();
  });
}
if (process.env.WRANGLER_COMMAND === 'deploy') {
  console.error(
    'Not deployed: this would deploy the settings of local runs. Run npm run deploy -- staging, or npm run deploy -- production.',
  );
  process.exit(1);
}
