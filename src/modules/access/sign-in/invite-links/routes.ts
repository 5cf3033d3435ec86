import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../../../platform/caller-address.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
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

export function inviteLinkRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, clock, settings, system } = services;
  const contract = inviteLinkContract;

  route(app, contract.listInviteLinks, async () => ({
    tokens: await listInviteLinks(db, settings.baseUrl),
  }));

  route(app, contract.createInviteLink, ({ body }, { actor }) =>
    transact(actor, (tx) => createInviteLink(tx, body, settings.baseUrl)),
  );

  route(app, contract.getInviteLink, ({ params }) =>
    getInviteLink(db, params.token, settings.baseUrl),
  );

  route(app, contract.changeInviteLink, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeInviteLink(tx, params.token, body, settings.baseUrl)),
  );

  route(app, contract.validateInviteLink, async ({ params }) => {
    await validateInviteLink(db, params.token, clock());
    return undefined;
  });

  route(app, contract.signUp, async ({ params, body }, { request }) => {
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
  });
}
