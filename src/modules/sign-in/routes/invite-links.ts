import type { FastifyInstance } from 'fastify';
import { invalidOperation } from '../../../platform/errors.ts';
import { route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { isPasswordSignInOff } from '../../settings/index.ts';
import { hashGoodPassword, userAnswer } from '../../users/index.ts';
import { callerOf } from '../address.ts';
import { inviteLinkContract } from '../contract/invite-links.ts';
import { countAttempt } from '../service/attempts.ts';
import {
  changeInviteLink,
  createInviteLink,
  getInviteLink,
  listInviteLinks,
  signUp,
  validateInviteLink,
} from '../service/invite-links.ts';
import { visitorOf } from '../session.ts';
import { countOf, rules } from '../throttle.ts';

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
        countOf(rules.signUpPerMinute, caller, tx.now),
        countOf(rules.signUpPerHour, caller, tx.now),
      ]),
    );
    await validateInviteLink(db, params.token, clock());
    if (await isPasswordSignInOff(db)) {
      throw invalidOperation('Nobody signs in with a password here, so nobody signs up with one');
    }
    // Before the transaction: it would hold its connection while the password is hashed.
    const password = await hashGoodPassword(body.password, body);
    const person = await transact(visitor, (tx) => signUp(tx, params.token, { ...body, password }));
    return userAnswer(person, settings.baseUrl);
  });
}
