import { describe, expect, it } from 'vitest';
import { isTrustedOrigin } from '../../../src/areas/mcp/mcp.routes.ts';

describe('isTrustedOrigin', () => {
  it.each([
    { origin: null, own: 'http://anything.example', isConfigured: false, trusted: true },
    { origin: 'https://api.example', own: 'https://api.example', isConfigured: false, trusted: true },
    { origin: 'http://127.0.0.1:8787', own: 'http://127.0.0.1:8787', isConfigured: false, trusted: true },
    { origin: 'http://localhost:8787', own: 'http://localhost:8787', isConfigured: false, trusted: true },
    { origin: 'http://api.example', own: 'http://api.example', isConfigured: true, trusted: true },
    // DNS rebinding: Host and Origin agree, but the name is not configured.
    { origin: 'http://rebound.example:8787', own: 'http://rebound.example:8787', isConfigured: false, trusted: false },
    // Pages of loopback addresses, such as the inspector.
    { origin: 'http://127.0.0.1:9999', own: 'http://127.0.0.1:8787', isConfigured: false, trusted: true },
    { origin: 'http://localhost:6274', own: 'http://127.0.0.1:8787', isConfigured: true, trusted: true },
    { origin: 'http://[::1]:6274', own: 'https://api.example', isConfigured: false, trusted: true },
    { origin: 'http://localhost.evil.example', own: 'http://127.0.0.1:8787', isConfigured: false, trusted: false },
    { origin: 'https://evil.example', own: 'http://127.0.0.1:8787', isConfigured: true, trusted: false },
    { origin: 'https://evil.example', own: 'https://localhost:8787', isConfigured: true, trusted: false },
    { origin: 'https://evil.example', own: 'https://api.example', isConfigured: false, trusted: false },
    { origin: 'null', own: 'https://api.example', isConfigured: false, trusted: false },
    { origin: '', own: 'http://127.0.0.1:8787', isConfigured: true, trusted: false },
    { origin: 'https://evil.example', own: 'http://api.example', isConfigured: true, trusted: false },
    // Any origin on a configured https address.
    { origin: 'https://assistant.example', own: 'https://api.example', isConfigured: true, trusted: true },
    { origin: 'null', own: 'https://api.example', isConfigured: true, trusted: true },
  ])(
    'returns $trusted for origin $origin when the service is at $own (configured: $isConfigured)',
    ({ origin, own, isConfigured, trusted }) => {
      expect(isTrustedOrigin(origin, own, isConfigured)).toBe(trusted);
    },
  );
});
