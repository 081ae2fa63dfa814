/**
 * Request headers that scripts of other origins may send to the API: those that the documentation names, and those that browsers and
 * their libraries add. One header that is missing here makes the browser refuse the whole request.
 */
export const ALLOWED_REQUEST_HEADERS = [
  ...['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-Request-ID', 'User-Agent'],
  // Values longer than 128 bytes, or with quotes or parentheses, need a permission too.
  ...['Accept', 'Accept-Language'],
  ...['If-None-Match', 'If-Modified-Since', 'If-Match', 'If-Unmodified-Since', 'If-Range', 'Range'],
  // Sent by a reload, and by libraries for event streams and forms.
  ...['Cache-Control', 'Pragma', 'X-Requested-With'],
  // Sent by assistants.
  ...['mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name'],
  // Added to every request by tracing libraries: W3C, B3, Jaeger, Sentry, Datadog, Application Insights.
  ...['traceparent', 'tracestate', 'baggage', 'b3', 'X-B3-TraceId', 'X-B3-SpanId', 'X-B3-ParentSpanId', 'X-B3-Sampled', 'X-B3-Flags'],
  ...['uber-trace-id', 'sentry-trace', 'X-Datadog-Trace-Id', 'X-Datadog-Parent-Id', 'X-Datadog-Origin', 'X-Datadog-Sampling-Priority'],
  ...['Request-Id', 'Request-Context'],
];
