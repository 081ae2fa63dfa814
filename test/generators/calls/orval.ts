import { calculateCoefficient, getServerTime, getSnapshot } from '../out/orval/api';
import { AUTHORIZATION, CHARACTER, finish } from './service';

const options = { headers: AUTHORIZATION };
const time = await getServerTime(undefined, options);
const snapshot = await getSnapshot({ include: ['server-time', 'corruxion'] }, options);
const coefficient = await calculateCoefficient(CHARACTER, options);
finish(
  time.status === 200 ? time.data.now_unix : undefined,
  snapshot.status === 200 ? Object.keys(snapshot.data.parts) : [],
  coefficient.status === 200 ? coefficient.data.coefficient : undefined,
);
