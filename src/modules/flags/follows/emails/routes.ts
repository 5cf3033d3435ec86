import { defineUseCase } from '../../../../platform/module.ts';
import { emailContract } from './contract.ts';
import { setEmailChoice } from './service.ts';

export const emailUseCase = defineUseCase({
  contract: emailContract,
  routes: ({ transact, mailer }) => ({
    setEmailChoice: ({ body }, { actor }) =>
      transact(actor, (tx) => setEmailChoice(tx, body, mailer)),
  }),
});
