import { callerOf } from '../../../../platform/caller-address.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { toUser } from '../../users/index.ts';
import { countAttempt } from '../attempts/service.ts';
import { counterOf, rules } from '../attempts/throttle.ts';
import { visitorOf } from '../sessions/begin.ts';
import { inviteLinkContract } from './contract.ts';
import {
  changeInviteLink,
  createInviteLink,
  getInviteLink,
  listInviteLinks,
  prepareSignUp,
  signUp,
  validateInviteLink,
} from './service.ts';

export const inviteLinkUseCase = defineUseCase({
  contract: inviteLinkContract,
  routes: (services) => {
    const { db, transact, clock, settings, system } = services;

    return {
      listInviteLinks: async () => ({
        tokens: await listInviteLinks(db, settings.baseUrl),
      }),
      createInviteLink: ({ body }, { actor }) =>
        transact(actor, (tx) => createInviteLink(tx, body, settings.baseUrl)),
      getInviteLink: ({ params }) => getInviteLink(db, params.token, settings.baseUrl),
      changeInviteLink: ({ params, body }, { actor }) =>
        transact(actor, (tx) => changeInviteLink(tx, params.token, body, settings.baseUrl)),

      validateInviteLink: async ({ params }) => {
        await validateInviteLink(db, params.token, clock());
        return undefined;
      },

      signUp: async ({ params, body }, { request }) => {
        const visitor = visitorOf(system, request);
        const caller = callerOf(request.ip);
        await transact(visitor, (tx) =>
          countAttempt(tx, [
            counterOf(rules.signUpPerMinute, caller, tx.now),
            counterOf(rules.signUpPerHour, caller, tx.now),
          ]),
        );
        const prepared = await prepareSignUp(db, params.token, body, clock());
        const person = await transact(visitor, (tx) => signUp(tx, params.token, prepared));
        return toUser(person, settings.baseUrl);
      },
    };
  },
});
