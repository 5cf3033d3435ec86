import { expect, test } from 'vitest';
import { readEdgeSettings } from './settings.ts';

const least = { UPSTREAM_URL: 'https://burgee.example.com/', TOKENS: '*:production.abc' };

const faultsOf = (environment: Record<string, string>, command?: 'offline') => {
  try {
    readEdgeSettings(environment, {}, command);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

test('variables of Unleash Edge are read, and options take precedence', () => {
  const settings = readEdgeSettings(
    {
      ...least,
      STRICT: 'true',
      INTERFACE: '127.0.0.1',
      FEATURES_REFRESH_INTERVAL_SECONDS: '10',
      CORS_ORIGIN: 'https://a.example, https://b.example',
      TRUST_PROXY: 'true',
      CUSTOM_CLIENT_HEADERS: 'X-Api-Key: abc',
      DISABLE_ALL_ENDPOINT: 'true',
    },
    { port: '4000', tokens: '*:development.one,two:development.two' },
  );
  expect(settings).toMatchObject({
    mode: 'strict',
    upstreamUrl: 'https://burgee.example.com',
    port: 4000,
    host: '127.0.0.1',
    refreshMs: 10_000,
    metricsMs: 60_000,
    revalidationMs: 3_600_000,
    corsOrigins: ['https://a.example', 'https://b.example'],
    upstreamHeaders: { 'x-api-key': 'abc' },
    streaming: true,
  });
  expect(settings.tokens.map(({ secret }) => secret)).toEqual([
    '*:development.one',
    'two:development.two',
  ]);
  expect(settings.trustedProxies).toContain('10.0.0.0/8');
});

test.each([
  ['strict with tokens', least, 'strict'],
  ['dynamic without tokens', { UPSTREAM_URL: 'http://localhost:4242' }, 'dynamic'],
  ['dynamic if DYNAMIC is true', { ...least, DYNAMIC: 'true' }, 'dynamic'],
])('an edge is %s', (_, environment, mode) => {
  expect(readEdgeSettings(environment).mode).toBe(mode);
});

test('all invalid settings are named at once, without secrets', () => {
  const faults = faultsOf({
    UPSTREAM_URL: 'https//hush@host',
    TOKENS: 'hush',
    PORT: '70000',
    STRICT: 'yes',
    ALLOW_LIST: '10.0.0.0/99',
    METRICS_INTERVAL_SECONDS: '0',
    BASE_PATH: 'edge',
    REDIS_URL: 'http://hush@redis',
    LOG_LEVEL: 'loud',
  });
  expect(faults).toEqual([
    expect.stringMatching(/^TOKENS: token 1 must have the form/),
    "STRICT must be true or false, not 'yes'",
    expect.stringMatching(/^UPSTREAM_URL must be a URL that begins with/),
    expect.stringMatching(/^PORT must be a whole number from 0 to 65535/),
    expect.stringMatching(/^BASE_PATH must begin with a slash/),
    expect.stringMatching(/^REDIS_URL must be a URL/),
    expect.stringMatching(/^METRICS_INTERVAL_SECONDS must be a whole number of seconds/),
    expect.stringMatching(/^ALLOW_LIST must be a list/),
    expect.stringMatching(/^LOG_LEVEL must be one of/),
  ]);
  expect(faults.join()).not.toContain('hush');
});

test('a variable of Unleash Edge without effect is named', () => {
  const { doubts } = readEdgeSettings({
    ...least,
    TLS_ENABLE: 'true',
    SKIP_SSL_VERIFICATION: 'false',
    REDIS_PASSWORD: 'hush',
    PRETRUSTED_TOKENS: '*:production.hush',
  });
  expect(doubts.filter((each) => each.includes('has no effect'))).toEqual([
    ...['TLS_ENABLE', 'REDIS_PASSWORD', 'PRETRUSTED_TOKENS'].map(
      (name) => `${name} has no effect: see "Moving from Unleash Edge" in docs/edge.md`,
    ),
  ]);
});

test.each([
  ['without an upstream', {}, 'UPSTREAM_URL must be set'],
  ['strict without tokens', { UPSTREAM_URL: 'http://a', STRICT: 'true' }, 'TOKENS must be set'],
  ['strict and dynamic', { ...least, STRICT: 'true', DYNAMIC: 'true' }, "can't both be true"],
])('an edge does not start %s', (_, environment, message) => {
  expect(faultsOf(environment).join('\n')).toContain(message);
});

test('an offline edge needs tokens and a file', () => {
  expect(faultsOf({}, 'offline')).toEqual([
    'BOOTSTRAP_FILE must be set for an offline edge',
    'TOKENS, CLIENT_TOKENS, or FRONTEND_TOKENS must be set',
  ]);
});

test.each([
  ['REDIS_URL', 'redis://:100%hush@redis', /^REDIS_URL: write % in/],
  ['REDIS_URL', 'redis://redis/cache', /^REDIS_URL must end with the host/],
  ['CUSTOM_CLIENT_HEADERS', 'X-Api-Key: hush\u0001', /^CUSTOM_CLIENT_HEADERS: header 1 has/],
  ['APP_NAME', 'edge \u{1f680}', /^APP_NAME must contain only/],
  ['INSTANCE_ID', 'one\ntwo', /^INSTANCE_ID must contain only/],
  ['UPSTREAM_URL', 'https://burgee.example.com/?a=hush', /^UPSTREAM_URL must be a URL without/],
  ['UPSTREAM_URL', 'https://burgee.example.com/#hush', /^UPSTREAM_URL must be a URL without/],
  [
    'UPSTREAM_CERTIFICATE_FILE',
    'package.json',
    /^UPSTREAM_CERTIFICATE_FILE: .* has no certificate/,
  ],
  ['CORS_ORIGIN', 'https://a.example/path', /^CORS_ORIGIN must be \* or a list/],
])('%s=%s is refused', (name, value, message) => {
  const faults = faultsOf({ ...least, [name]: value });
  expect(faults).toEqual([expect.stringMatching(message)]);
  expect(faults.join()).not.toContain('hush');
});

test('settings with encoded, accented, and several values are accepted', () => {
  const given = {
    ...{ REDIS_URL: 'rediss://user:100%25@redis:6380/2', APP_NAME: 'edge of Malm\u00f6' },
    ...{ CORS_ORIGIN: 'https://a.example:8443,capacitor://localhost,*' },
  };
  expect(faultsOf({ ...least, ...given })).toEqual([]);
});
