import type { FastifyInstance } from 'fastify';
import { signInRefused } from '../../../platform/errors.ts';
import { route } from '../../../platform/http/endpoint.ts';
import { refuseForeignOrigin } from '../../../platform/http/origin.ts';
import type { Services } from '../../../platform/module.ts';
import { clearSessionCookie, sendSessionCookie } from '../../access/index.ts';
import { isPasswordSignInOff, oidcSetting, readSetting } from '../../settings/index.ts';
import { findPersonForSignIn, getPerson, userAnswer, verifyPassword } from '../../users/index.ts';
import { callerOf } from '../address.ts';
import { basePathOf } from '../base-path.ts';
import { logInContract } from '../contract/log-in.ts';
import { countGuess, takeBackGuess } from '../service/attempts.ts';
import { requireUnchanged } from '../service/log-in.ts';
import { endSessionOf, signInPerson, visitorOf } from '../session.ts';

export function logInRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, settings, system } = services;

  route(app, logInContract.logIn, async ({ body }, { request, reply }) => {
    refuseForeignOrigin(request, settings.baseUrl);
    const visitor = visitorOf(system, request);
    const person = await findPersonForSignIn(db, body.username);
    const guess = await transact(visitor, (tx) =>
      countGuess(tx, {
        userId: person?.id,
        name: body.username,
        caller: callerOf(request.ip),
      }),
    );
    const matches = await verifyPassword(person?.passwordHash ?? null, body.password);
    if (!matches || !person || (await isPasswordSignInOff(db))) throw signInRefused();
    const { session, user } = await transact(visitor, async (tx) => {
      await requireUnchanged(tx, person);
      await takeBackGuess(tx, guess);
      return {
        session: await signInPerson(tx, person.id, request, settings),
        user: await getPerson(tx.db, person.id),
      };
    });
    sendSessionCookie(reply, session);
    return userAnswer(user, settings.baseUrl);
  });

  route(app, logInContract.logOut, async ({ query }, { request, reply }) => {
    refuseForeignOrigin(request, settings.baseUrl);
    await transact(visitorOf(system, request), (tx) =>
      endSessionOf(tx, request, { all: query.all === 'true' }),
    );
    clearSessionCookie(reply, settings.baseUrl);
    return reply.redirect(`${basePathOf(settings.baseUrl)}/login`, 302);
  });

  route(app, logInContract.listProviders, async () => {
    const oidc = await readSetting<{ enabled?: boolean }>(db, oidcSetting);
    return { password: !(await isPasswordSignInOff(db)), oidc: oidc?.enabled === true };
  });
}
