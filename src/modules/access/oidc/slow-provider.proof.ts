import { expect, test } from 'vitest';
import { testApp } from '../../../../test/support/app.ts';
import { openBrowser } from '../../../../test/support/oidc/browser.ts';
import { listenHere } from '../../../../test/support/oidc/provider.ts';
import { offer } from '../../../../test/support/oidc/sign-in-through.ts';

test('a sign-in fails with provider-unavailable if the provider does not respond', async () => {
  const app = await testApp();
  const { url: issuer } = await listenHere(() => undefined);
  await offer(app, { issuer });
  const { status, location } = await openBrowser(app).open('/auth/oidc/login');
  expect([status, location]).toEqual([302, '/login?error=provider-unavailable']);
});
