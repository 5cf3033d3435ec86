import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { openBrowser } from '../../../../test/support/oidc/browser.ts';
import { listenHere } from '../../../../test/support/oidc/provider.ts';
import { offer } from '../../../../test/support/oidc/sign-in-through.ts';

test('no one is sent to a provider that does not respond, which takes five seconds to find out', async () => {
  const app = await testApp();
  const { url: issuer } = await listenHere(() => undefined);
  await offer(app, { issuer });
  const { status, location } = await openBrowser(app).open('/auth/oidc/login');
  expect([status, location]).toEqual([302, '/login?error=provider-unavailable']);
});
