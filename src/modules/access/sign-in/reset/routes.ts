import { callerOf } from '../../../../platform/caller-address.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { isPasswordSignInOff } from '../../settings/index.ts';
import { passwordReset } from '../../users/index.ts';
import { countAttempt } from '../attempts/service.ts';
import { counterOf, rules } from '../attempts/throttle.ts';
import { actorOf, visitorOf } from '../sessions/begin.ts';
import { checks } from './checks.ts';
import { resetContract } from './contract.ts';
import {
  describeLink,
  prepareNewPassword,
  prepareResetMail,
  setPasswordByLink,
} from './service.ts';

export const resetUseCase = defineUseCase({
  contract: resetContract,
  checks,
  routes: (services, app) => {
    const { db, transact, clock, settings, system, log, mailer, runHook } = services;
    const underWay = new Set<Promise<void>>();
    app.addHook('preClose', async () => void (await Promise.allSettled(underWay)));

    async function mailResetLink(email: string, actor: typeof system): Promise<void> {
      if (!mailer.configured || (await isPasswordSignInOff(db))) return;
      const mail = await transact(actor, (tx) => prepareResetMail(tx, email, settings.baseUrl));
      if (mail) await mailer.send(mail);
    }

    return {
      sendResetLink: async ({ body }, { request }) => {
        const visitor = visitorOf(system, request);
        await transact(visitor, (tx) =>
          countAttempt(tx, [counterOf(rules.resetPerAddress, callerOf(request.ip), tx.now)]),
        );
        // Runs after the response, so that its time does not reveal whether the address exists.
        const sending: Promise<void> = mailResetLink(body.email, visitor)
          .catch((error) => log.warn({ err: error }, 'a password reset link could not be sent'))
          .finally(() => underWay.delete(sending));
        underWay.add(sending);
        return undefined;
      },

      validateLink: ({ query }) => describeLink(db, query.token, clock()),
      validatePassword: async () => undefined,

      setPassword: async ({ body }, { request }) => {
        await transact(visitorOf(system, request), (tx) =>
          countAttempt(tx, [counterOf(rules.linkPerAddress, callerOf(request.ip), tx.now)]),
        );
        const { account, password } = await prepareNewPassword(db, body, clock());
        await transact(actorOf(account, request), async (tx) => {
          await setPasswordByLink(tx, body.token, password);
          if (!body.keepPersonalTokens) await runHook(passwordReset, tx, { id: account.id });
        });
        return undefined;
      },
    };
  },
});
