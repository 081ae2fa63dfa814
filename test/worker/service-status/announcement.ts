/** The body of a new announcement. */
export const INPUT = { title: 'The event stream is delayed', severity: 'degraded', parts: ['stream'], text: 'We look into it.' };
