import { callerOf } from '../../../../platform/caller-address.ts';
import { basePathOf } from '../../../../platform/http/base-path.ts';
import { refuseForeignOrigin } from '../../../../platform/http/origin.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { newSecret } from '../../../../platform/secret.ts';
import { clearSessionCookie, sendSessionCookie } from '../../gate/index.ts';
import { isPasswordSignInOff, oidcSetting, readSetting } from '../../settings/index.ts';
import { findPersonForSignIn, getPerson, toUser } from '../../users/index.ts';
import { deviceOf, sendDeviceCookie } from '../attempts/device.ts';
import { countGuess } from '../attempts/service.ts';
import { countSignIn } from '../logins/metrics.ts';
import { refusalOf, storeRefusal } from '../logins/routes.ts';
import { hasAnyoneSignedIn } from '../people-queries.ts';
import { endSessionOf, signInPerson, visitorOf } from '../sessions/begin.ts';
import { logInContract } from './contract.ts';
import { admit, requirePassword } from './service.ts';

export const logInUseCase = defineUseCase({
  contract: logInContract,
  routes: (services) => {
    const { db, transact, settings, system, mailer } = services;

    return {
      logIn: async ({ body }, { request, reply }) => {
        refuseForeignOrigin(request, settings.baseUrl);
        const visitor = visitorOf(system, request);
        const knownDevice = deviceOf(request);
        const claimed = await findPersonForSignIn(db, body.username);
        async function signIn() {
          const guess = await transact(visitor, (tx) =>
            countGuess(tx, {
              userId: claimed?.id,
              name: body.username,
              caller: callerOf(request.ip),
              device: knownDevice,
            }),
          );
          const person = await requirePassword(db, claimed, body.password);
          const device = knownDevice ?? newSecret();
          return transact(visitor, async (tx) => {
            await admit(tx, person, guess);
            const session = await signInPerson(
              tx,
              { userId: person.id, method: 'password' },
              request,
              settings,
              device,
            );
            return { device, session, user: await getPerson(tx.db, person.id) };
          });
        }

        const { device, session, user } = await signIn().catch(async (error: unknown) => {
          const refusal = refusalOf(error);
          const userAgent = request.headers['user-agent'];
          const attempt = {
            userId: claimed?.id,
            method: 'password',
            ip: request.ip,
            userAgent,
          } as const;
          if (refusal) await storeRefusal(services, visitor, attempt, refusal);
          throw error;
        });
        countSignIn(services, 'password', 'signed-in');
        services.log.info({ userId: user.id, method: 'password', ip: request.ip }, 'signed in');
        sendSessionCookie(reply, session);
        sendDeviceCookie(reply, device, settings.baseUrl);
        return toUser(user, settings.baseUrl);
      },

      logOut: async ({ query }, { request, reply }) => {
        refuseForeignOrigin(request, settings.baseUrl);
        await transact(visitorOf(system, request), (tx) =>
          endSessionOf(tx, request, { baseUrl: settings.baseUrl, all: query.all === 'true' }),
        );
        clearSessionCookie(reply, settings.baseUrl);
        return reply.redirect(`${basePathOf(settings.baseUrl)}/login`, 302);
      },

      listProviders: async () => {
        const oidc = await readSetting<{ enabled?: boolean }>(db, oidcSetting);
        const password = !(await isPasswordSignInOff(db));
        return {
          password,
          oidc: oidc?.enabled === true,
          resetByEmail: password && mailer.configured,
          firstSignIn: password && !(await hasAnyoneSignedIn(db)),
        };
      },
    };
  },
});
