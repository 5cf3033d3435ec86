import { callerOf } from '../../../../platform/caller-address.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { deviceOf } from '../attempts/device.ts';
import { countGuess } from '../attempts/service.ts';
import { checks } from './checks.ts';
import { ownPasswordContract } from './contract.ts';
import { changeOwnPassword, prepareChange, requirePerson } from './service.ts';

export const ownPasswordUseCase = defineUseCase({
  contract: ownPasswordContract,
  checks,
  routes: ({ db, transact }) => ({
    changeMyPassword: async ({ body }, { actor, request }) => {
      const person = await requirePerson(db, actor, body.password);
      // Someone with a stolen session or token must not be able to guess the password too.
      const guess = await transact(actor, (tx) =>
        countGuess(tx, {
          userId: person.id,
          name: person.username ?? person.email ?? '',
          caller: callerOf(request.ip),
          device: deviceOf(request),
        }),
      );
      const change = await prepareChange(db, person.id, body);
      return transact(actor, (tx) => changeOwnPassword(tx, change, guess));
    },
  }),
});
