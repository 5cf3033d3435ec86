import type { TestApp } from '../app.ts';
import { openBrowser } from './browser.ts';
import { clientId, clientSecret, type TestProvider } from './provider.ts';

export const oidcSettings = '/api/admin/auth/oidc/settings';

/** Enables sign-in through this provider. */
export const offer = (app: TestApp, { issuer }: Pick<TestProvider, 'issuer'>, more: object = {}) =>
  app.ask(`POST ${oidcSettings}`, {
    payload: {
      enabled: true,
      discoverUrl: issuer,
      clientId,
      secret: clientSecret,
      autoCreate: true,
      enableGroupSyncing: false,
      ...more,
    },
  });

/** Signs in a user in a new browser. Returns the last page and the user. */
export async function signInThrough(
  app: TestApp,
  provider: TestProvider,
  sub: string,
  claims: Readonly<Record<string, unknown>>,
) {
  provider.signIn(sub, claims);
  const browser = openBrowser(app);
  const { landed } = await browser.follow('/auth/oidc/login');
  const response = await browser.ask('/api/admin/user');
  const user = response.statusCode === 200 ? response.json().user : undefined;
  return { landed, user, browser };
}

/** The events recorded after this id. */
export const recordedSince = (app: TestApp, id: number) =>
  app.db
    .selectFrom('events')
    .where('id', '>', id)
    .select(['type', 'data', 'pre_data as preData', 'created_by as createdBy'])
    .orderBy('id')
    .execute();

export const lastEventId = async (app: TestApp): Promise<number> =>
  (await app.db.selectFrom('events').select('id').orderBy('id', 'desc').executeTakeFirst())?.id ??
  0;
