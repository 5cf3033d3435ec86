import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';
import { RoleSchema } from '../../roles/contract.ts';
import { UserSchema } from '../user-schema.ts';

const tag = 'Users';

const SourceSchema = Type.Object({
  role: RoleSchema,
  group: Type.Optional(
    Type.Object(
      { id: Type.Integer(), name: Type.String() },
      { description: 'The group that grants the role; omitted: the account has it directly' },
    ),
  ),
  project: nullable(
    Type.String({ description: 'The project in which the role is granted; null: a root role' }),
  ),
});
export type Source = Static<typeof SourceSchema>;

const ExplainedGrantSchema = Type.Object({
  permission: Type.String(),
  displayName: Type.String(),
  type: oneOf(['root', 'project', 'environment']),
  project: nullable(
    Type.String({
      description:
        'Where it applies; null: in the installation, and for permissions of type project or environment in every open project',
    }),
  ),
  environment: nullable(
    Type.String({ description: 'The only environment it applies to; null: all environments' }),
  ),
  sources: Type.Array(Type.Integer({ minimum: 0 }), {
    description: 'Indexes in the list of sources that grant it, from 0',
  }),
});
export type ExplainedGrant = Static<typeof ExplainedGrantSchema>;

const ExplainedAccessSchema = named(
  'explainedAccessSchema',
  Type.Object({
    user: UserSchema,
    isAdministrator: Type.Boolean({
      description: 'Whether the account has full access, including private projects',
    }),
    sources: Type.Array(SourceSchema, {
      description: 'Every role of the account, direct or through a group',
    }),
    permissions: Type.Array(ExplainedGrantSchema, {
      description: 'Every permission, once for each scope in which it applies',
    }),
  }),
);
export type ExplainedAccess = Static<typeof ExplainedAccessSchema>;

const rules =
  'Archived projects are left out. Editors have the permissions of members in every open project: their source is the role Editor.';

export const sourceContract = {
  explainAccess: endpoint({
    method: 'GET',
    path: '/api/admin/access/accounts/:id',
    id: 'explainAccess',
    tag,
    summary: 'List the permissions of an account, with the roles and groups that grant them',
    description: `For users and service accounts. ${rules}`,
    permission: 'ADMIN',
    params: Type.Object({ id: Type.String() }),
    response: ExplainedAccessSchema,
  }),

  explainOwnAccess: endpoint({
    method: 'GET',
    path: '/api/admin/user/access',
    id: 'explainOwnAccess',
    tag,
    summary: 'List your permissions, with the roles and groups that grant them',
    description: rules,
    permission: 'none',
    response: ExplainedAccessSchema,
  }),
};
