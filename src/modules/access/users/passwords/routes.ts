import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { resetMail, resetUrl } from '../mail/texts.ts';
import { createResetLink, getPerson, getPersonId } from '../user-admin/service.ts';
import { checks } from './checks.ts';
import { passwordContract } from './contract.ts';
import { checkAndHashPassword, passwordReset, setPassword } from './service.ts';

export const passwordUseCase = defineUseCase({
  contract: passwordContract,
  checks,
  routes: (services) => {
    const { db, transact, settings, mailer, runHook } = services;

    return {
      changeUserPassword: async ({ params, body }, { actor }) => {
        const person = await getPerson(db, pathId('user', params.id));
        // Hash before the transaction, which would otherwise hold its connection during the hashing.
        const password = await checkAndHashPassword(body.password, person);
        await transact(actor, async (tx) => {
          await setPassword(tx, person.id, password);
          if (!body.keepPersonalTokens) await runHook(passwordReset, tx, person);
        });
        return undefined;
      },

      resetUserPassword: async ({ body }, { actor }) => {
        const { person, link } = await transact(actor, async (tx) =>
          createResetLink(tx, await getPersonId(tx.db, body.id)),
        );
        const resetPasswordUrl = resetUrl(settings.baseUrl, link.secret);
        const emailSent =
          person.email !== null &&
          (await mailer.send(resetMail({ to: person.email, url: resetPasswordUrl }, person.name)));
        return { resetPasswordUrl, emailSent };
      },

      validateUserPassword: async () => undefined,
    };
  },
});
