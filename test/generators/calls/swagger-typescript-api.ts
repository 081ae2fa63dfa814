import { Api } from '../out/swagger-typescript-api/api';
import { AUTHORIZATION, BASE_URL, CHARACTER, finish } from './service';

const { v1 } = new Api({ baseUrl: BASE_URL, baseApiParams: { headers: AUTHORIZATION } });
const time = await v1.getServerTime();
// This tool repeats list parameters and ignores the declared style, so the values are joined here.
const snapshot = await v1.getSnapshot({}, { query: { include: 'server-time,corruxion' } } as object);
const coefficient = await v1.calculateCoefficient(CHARACTER);
finish(time.data.now_unix, Object.keys(snapshot.data.parts), coefficient.data.coefficient);
