import { expect, test } from 'vitest';
import { isConnected } from './connected.ts';

type Use = Parameters<typeof isConnected>[0];

const application = { appName: 'shop' };
const seenAt = '2026-11-17T12:00:00.000Z';

test.each<[string, object | undefined, object | undefined, boolean]>([
  ['nothing is known', undefined, undefined, false],
  ['no application has connected', { applications: [] }, { tokens: [] }, false],
  ['an SDK has registered', { applications: [application] }, undefined, true],
  ['a client token was used', { applications: [] }, { tokens: [{ type: 'client', seenAt }] }, true],
  ['a frontend token was used', undefined, { tokens: [{ type: 'frontend', seenAt }] }, true],
  ['only an admin token was used', undefined, { tokens: [{ type: 'admin', seenAt }] }, false],
  ['no token was used', undefined, { tokens: [{ type: 'client', seenAt: null }] }, false],
])(
  'Home shows whether an application is connected if %s',
  (_what, applications, tokens, expected) => {
    expect(isConnected({ applications, tokens } as Use)).toBe(expected);
  },
);
