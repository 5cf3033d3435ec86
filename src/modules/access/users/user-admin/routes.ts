import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { getRootRole, listRootRoles } from '../../roles/index.ts';
import { countAdministrators } from '../accounts/administrator-queries.ts';
import { invitationMail, invitationUrl } from '../mail/texts.ts';
import { hashPassword } from '../passwords/hash.ts';
import { toUser, toUserBasics } from '../present.ts';
import { checks } from './checks.ts';
import { userAdminContract } from './contract.ts';
import { findPeople, listAccountBasics, listGroups } from './lists.ts';
import { listPeople } from './queries.ts';
import { changePerson, getPerson, invitePerson, removePerson } from './service.ts';

const userIdOf = ({ id }: { readonly id: string }) => pathId('user', id);

export const userAdminUseCase = defineUseCase({
  contract: userAdminContract,
  checks,
  routes: (services) => {
    const { db, transact, settings, mailer, runHook } = services;
    const { baseUrl } = settings;

    return {
      createUser: async ({ body }, { actor }) => {
        const { sendEmail = true, password: typed, ...input } = body;
        // The contract has checked the password. It is hashed before the transaction, which would otherwise wait for it.
        const password = typed === undefined ? undefined : await hashPassword(typed);
        const { person, link } = await transact(actor, async (tx) => {
          const { id: rootRole } = await getRootRole(tx.db, input.rootRole, '/body/rootRole');
          return invitePerson(tx, { ...input, rootRole, password });
        });
        const inviteLink = link && invitationUrl(baseUrl, link.secret);
        // Mails are sent only after the commit.
        const emailSent =
          inviteLink !== undefined && person.email !== null && sendEmail
            ? await mailer.send(invitationMail({ to: person.email, url: inviteLink }, person.name))
            : false;
        return { ...toUser(person, baseUrl), ...(inviteLink && { inviteLink }), emailSent };
      },

      getUser: async ({ params }) => toUser(await getPerson(db, userIdOf(params)), baseUrl),

      updateUser: async ({ params, body }, { actor }) => {
        const id = userIdOf(params);
        await transact(actor, async (tx) => {
          const role =
            body.rootRole === undefined
              ? undefined
              : await getRootRole(tx.db, body.rootRole, '/body/rootRole');
          return changePerson(tx, id, { ...body, rootRole: role?.id });
        });
        return toUser(await getPerson(db, id), baseUrl);
      },

      deleteUser: ({ params }, { actor }) =>
        transact(actor, (tx) => removePerson(tx, userIdOf(params), runHook)),

      listUsers: async () => {
        const people = await listPeople(db);
        return {
          users: people.map((person) => toUser(person, baseUrl)),
          rootRoles: await listRootRoles(db),
        };
      },

      searchUsers: async ({ query }) => {
        const found = await findPeople(db, query.q);
        return found.map((person) => toUserBasics(person, baseUrl));
      },

      listUsersAndGroups: async () => ({
        groups: await listGroups(db),
        users: await listAccountBasics(db, baseUrl),
      }),

      countAdministrators: () => countAdministrators(db),
    };
  },
});
