/** Requests to the API. The access token is in a module variable; an HttpOnly cookie renews it. */

import { markSignedIn } from './signed-in.js';

let credential = null;
let expiresAt = 0;
const EXPIRY_MARGIN_MS = 30_000;
const LOGIN_PAGE = '/portal/login';

/** An error response. `problems`: problems of fields. */
export class ApiProblem extends Error {
  constructor(status, { code, message, details } = {}) {
    super(message ?? `The service returned ${status}.`);
    this.status = status;
    this.code = code ?? '';
    if (status === 404 && message === 'path not found') this.message = 'This feature is switched off.';
    this.problems = Array.isArray(details) ? details : [];
  }
}

export function useCredential({ access_token: token, expires_in: seconds }) {
  credential = token;
  expiresAt = Date.now() + seconds * 1000;
  markSignedIn(true);
}

/** The running renewal, which all requests of the page await. */
let renewal = null;

function renew() {
  renewal ??= renewOnce().finally(() => {
    renewal = null;
  });
  return renewal;
}

/** Renews the access token. Without a session the sign-in page opens. */
async function renewOnce() {
  if (await renewSession()) return;
  location.assign(`${LOGIN_PAGE}?next=${encodeURIComponent(location.pathname + location.search)}`);
  await new Promise(() => {});
}

/** Renews the session, in one tab at a time, because each refresh token is valid once. False, and no longer signed in, when it has ended. */
export async function renewSession() {
  const refresh = async () => {
    const response = await fetch('/auth/refresh', { method: 'POST' });
    if (!response.ok && response.status !== 401) throw await problemOf(response);
    if (response.ok) useCredential(await response.json());
    else markSignedIn(false);
    return response.ok;
  };
  return navigator.locks ? navigator.locks.request('portal-refresh', refresh) : refresh();
}

async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  const problem = new ApiProblem(response.status, body.error);
  const seconds = response.headers.get('Retry-After');
  if (response.status === 429 && seconds) problem.message = `${problem.message.replace(/\.$/, '')}: try again in ${seconds} s`;
  return problem;
}

function send(method, path, body, authorization) {
  return fetch(path, {
    method,
    // Lists must include the latest change.
    cache: 'no-store',
    headers: {
      ...(authorization ? { Authorization: `Bearer ${authorization}` } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

/** Returns the parsed body; null without a body. Throws `ApiProblem`. */
export async function read(response) {
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? null : response.json();
}

/** Sends a request without a session. */
export const callOpen = async (method, path, body) => read(await send(method, path, body));

/** Sends a request with the session of the account. */
export async function call(method, path, body) {
  return read(await callRaw(method, path, body));
}

export async function callRaw(method, path, body) {
  if (credential === null || Date.now() > expiresAt - EXPIRY_MARGIN_MS) await renew();
  const response = await send(method, path, body, credential);
  if (response.status !== 401 || !(await isSignedOut(response))) return response;
  await renew();
  return send(method, path, body, credential);
}

async function isSignedOut(response) {
  const body = await response
    .clone()
    .json()
    .catch(() => ({}));
  return body.error?.code === 'not_authenticated';
}

/** Returns the body as a blob. Throws `ApiProblem`. */
export async function callForBytes(method, path, body) {
  const response = await callRaw(method, path, body);
  if (!response.ok) throw await problemOf(response);
  return response.blob();
}

/** Sends a file in the field `file` of a form; otherwise as `sendBody`. */
export function sendFile(path, file, onProgress) {
  const form = new FormData();
  form.set('file', file);
  return sendBody('POST', path, form, onProgress);
}

/**
 * Sends a form or a file. `onProgress` receives the sent share, 0 to 1: only `XMLHttpRequest` tells it. Resolves with the response of any
 * status.
 */
export async function sendBody(method, path, body, onProgress) {
  if (credential === null || Date.now() > expiresAt - EXPIRY_MARGIN_MS) await renew();
  const request = new XMLHttpRequest();
  request.open(method, path);
  request.setRequestHeader('Authorization', `Bearer ${credential}`);
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0));
  const sent = new Promise((resolve, reject) => {
    request.addEventListener('load', resolve);
    request.addEventListener('error', () => reject(new Error('The connection was lost. Check your network and send the file again.')));
  });
  request.send(body);
  await sent;
  const headers = new Headers();
  for (const name of ['Content-Type', 'Retry-After', INGEST_ID]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(request.responseText, { status: request.status, headers });
}

/** Response header with the id of the receipt of an insert. */
export const INGEST_ID = 'X-Ingest-ID';

export const get = (path) => call('GET', path);

/** Ends the session and opens the sign-in page. */
export async function signOut() {
  await fetch('/auth/logout', { method: 'POST' });
  markSignedIn(false);
  location.assign(LOGIN_PAGE);
}
