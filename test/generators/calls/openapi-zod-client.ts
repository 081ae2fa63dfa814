import { createApiClient } from '../out/openapi-zod-client/api';
import { AUTHORIZATION, BASE_URL, CHARACTER, finish } from './service';

const api = createApiClient(BASE_URL, { axiosConfig: { headers: AUTHORIZATION, paramsSerializer: { serialize: commaLists } } });
const time = await api.get('/v1/rotations/server-time');
const snapshot = await api.get('/v1/snapshot', { queries: { include: ['server-time', 'corruxion'] } });
const coefficient = await api.post('/v1/stats/coefficient', CHARACTER);
finish(time.now_unix, Object.keys(snapshot.parts), coefficient.coefficient);

/** Serialises lists with commas as the document declares, which the tool leaves to the HTTP client. */
function commaLists(parameters: Record<string, unknown>): string {
  return new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString();
}
