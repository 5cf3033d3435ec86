import type { FastifyInstance } from 'fastify';
import { badData, notFound } from '../../../platform/errors.ts';
import { route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { isPasswordSignInOff } from '../../settings/index.ts';
import {
  createMailer,
  findPasswordLink,
  hashGoodPassword,
  passwordFaults,
  setPassword,
  takePasswordLink,
} from '../../users/index.ts';
import { callerOf } from '../address.ts';
import { resetContract } from '../contract/reset.ts';
import { findRoleOf } from '../queries/people.ts';
import { countAttempt } from '../service/attempts.ts';
import { prepareResetMail } from '../service/reset.ts';
import { visitorOf } from '../session.ts';
import { countOf, rules } from '../throttle.ts';

const unknownLink = () => notFound('link to a new password', '*****');

export function resetRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, clock, settings, system, log } = services;
  const contract = resetContract;
  const mailer = createMailer(settings, log);
  const underWay = new Set<Promise<void>>();
  app.addHook('preClose', async () => void (await Promise.allSettled(underWay)));

  async function mailResetLink(email: string, actor: typeof system): Promise<void> {
    if (!mailer.configured || (await isPasswordSignInOff(db))) return;
    const mail = await transact(actor, (tx) => prepareResetMail(tx, email, settings.baseUrl));
    if (mail) await mailer.send(mail);
  }

  route(app, contract.sendResetLink, async ({ body }, { request }) => {
    const visitor = visitorOf(system, request);
    await transact(visitor, (tx) =>
      countAttempt(tx, [countOf(rules.resetPerAddress, callerOf(request.ip), tx.now)]),
    );
    // After the answer, which takes the same time whether somebody has this address or not.
    const sending: Promise<void> = mailResetLink(body.email, visitor)
      .catch((error) => log.warn({ err: error }, 'a link to a new password could not be sent'))
      .finally(() => underWay.delete(sending));
    underWay.add(sending);
    return undefined;
  });

  route(app, contract.validateLink, async ({ query }) => {
    const link = await findPasswordLink(db, query.token, clock());
    if (!link) throw unknownLink();
    const { id, name, email, username, rootRole } = link.person;
    return {
      id,
      rootRole,
      ...(name && { name }),
      ...(email && { email }),
      ...(username && { username }),
      role: await findRoleOf(db, id),
    };
  });

  route(app, contract.validatePassword, async ({ body }) => {
    const faults = passwordFaults(body.password, {}, '/body/password');
    if (faults.length > 0) throw badData(faults);
    return undefined;
  });

  route(app, contract.setPassword, async ({ body }, { request }) => {
    const visitor = visitorOf(system, request);
    await transact(visitor, (tx) =>
      countAttempt(tx, [countOf(rules.linkPerAddress, callerOf(request.ip), tx.now)]),
    );
    const link = await findPasswordLink(db, body.token, clock());
    if (!link) throw unknownLink();
    // Before the transaction: it would hold its connection while the password is hashed.
    const password = await hashGoodPassword(body.password, link.person);
    await transact(visitor, async (tx) => {
      const person = await takePasswordLink(tx, body.token);
      if (!person) throw unknownLink();
      await setPassword(tx, person.id, password);
    });
    return undefined;
  });
}
