import type { FastifyInstance } from 'fastify';
import { pathId } from '../../../../platform/http/path-id.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { getRootRole, listRootRoles } from '../../roles/index.ts';
import { basicsAnswer, userAnswer } from '../answer.ts';
import { peopleEndpoints } from '../checks.ts';
import { inactiveContract } from '../contract/inactive.ts';
import { permissionContract } from '../contract/permissions.ts';
import { invitationUrl } from '../links.ts';
import type { Mailer } from '../mail.ts';
import { invitation } from '../mail-texts.ts';
import { hashPassword } from '../password-hash.ts';
import { countAdministrators } from '../queries/administrators.ts';
import { listPeople } from '../queries/people.ts';
import { listInactive, removePeople } from '../service/inactive.ts';
import { findPeople, listEverybody, listGroups } from '../service/lists.ts';
import { changePerson, getPerson, invitePerson, removePerson } from '../service/people.ts';
import { describeAccess } from '../service/permissions.ts';

/** The version of the answers' shape, as clients of the reference product expect it. */
const version = 1;

const userIdOf = ({ id }: { readonly id: string }) => pathId('user', id);

export function peopleRoutes(app: FastifyInstance, services: Services, mailer: Mailer): void {
  routePeople(app, services, mailer);
  routeLists(app, services);
  routeInactive(app, services);
}

function routePeople(app: FastifyInstance, services: Services, mailer: Mailer): void {
  const { db, transact, settings } = services;
  const { baseUrl } = settings;
  const contract = peopleEndpoints;

  route(app, contract.createUser, async ({ body }, { actor }) => {
    const { sendEmail = true, password: typed, ...wish } = body;
    // The contract has checked it; hashed before the transaction, which would wait for it.
    const password = typed === undefined ? undefined : await hashPassword(typed);
    const { person, link } = await transact(actor, async (tx) => {
      const { id: rootRole } = await getRootRole(tx.db, wish.rootRole, '/body/rootRole');
      return invitePerson(tx, { ...wish, rootRole, password });
    });
    const inviteLink = link && invitationUrl(baseUrl, link.secret);
    // Only what is committed is told to somebody else.
    const emailSent =
      inviteLink !== undefined && person.email !== null && sendEmail
        ? await mailer.send(invitation({ to: person.email, url: inviteLink }, person.name))
        : false;
    return { ...userAnswer(person, baseUrl), ...(inviteLink && { inviteLink }), emailSent };
  });

  route(app, contract.getUser, async ({ params }) =>
    userAnswer(await getPerson(db, userIdOf(params)), baseUrl),
  );

  route(app, contract.updateUser, async ({ params, body }, { actor }) => {
    const id = userIdOf(params);
    await transact(actor, async (tx) => {
      const role =
        body.rootRole === undefined
          ? undefined
          : await getRootRole(tx.db, body.rootRole, '/body/rootRole');
      return changePerson(tx, id, { ...body, rootRole: role?.id });
    });
    return userAnswer(await getPerson(db, id), baseUrl);
  });

  route(app, contract.deleteUser, ({ params }, { actor }) =>
    transact(actor, async (tx) => void (await removePerson(tx, userIdOf(params)))),
  );

  route(app, permissionContract.getUserPermissions, ({ params, query }) =>
    describeAccess(db, { id: userIdOf(params), kind: 'person' }, query, baseUrl),
  );
}

function routeLists(app: FastifyInstance, { db, settings: { baseUrl } }: Services): void {
  const contract = peopleEndpoints;

  route(app, contract.listUsers, async () => {
    const people = await listPeople(db);
    return {
      users: people.map((person) => userAnswer(person, baseUrl)),
      rootRoles: await listRootRoles(db),
    };
  });

  route(app, contract.searchUsers, async ({ query }) => {
    const found = await findPeople(db, query.q);
    return found.map((person) => basicsAnswer(person, baseUrl));
  });

  route(app, contract.listUsersAndGroups, async () => ({
    groups: await listGroups(db),
    users: await listEverybody(db, baseUrl),
  }));

  route(app, contract.countAdministrators, () => countAdministrators(db));
}

function routeInactive(app: FastifyInstance, { db, transact, clock }: Services): void {
  const contract = inactiveContract;

  route(app, contract.listInactiveUsers, async () => {
    const people = await listInactive(db, clock());
    return {
      version,
      inactiveUsers: people.map(({ id, name, username, email, createdAt, seenAt }) => ({
        id,
        ...(name !== '' && { name }),
        ...(username !== null && { username }),
        ...(email !== null && { email }),
        createdAt: createdAt.toISOString(),
        ...(seenAt && { seenAt: seenAt.toISOString() }),
      })),
    };
  });

  route(app, contract.deleteInactiveUsers, ({ body }, { actor }) =>
    transact(actor, async (tx) => void (await removePeople(tx, body.ids))),
  );
}
