// Loaded before a snippet: a refused request that the page does not show fails it, as curl's `fail-with-body` does.
const REFUSED = 400;
const EXIT_CODE = 22;
const send = globalThis.fetch;

globalThis.fetch = async (...args) => {
  const response = await send(...args);
  if (response.status >= REFUSED) process.exitCode = EXIT_CODE;
  return response;
};
