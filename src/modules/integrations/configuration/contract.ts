import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';
import { ProviderSchema } from '../providers/provider-schema.ts';
import {
  CreatedIntegrationSchema,
  IntegrationSchema,
  IntegrationWishSchema,
} from './integration-schema.ts';

export const configurationContract = {
  listIntegrations: endpoint({
    method: 'GET',
    path,
    id: 'getAddons',
    tag,
    summary: 'All integrations, and the kinds of receivers that there are',
    description: 'Integrations that are only about projects which you may not see are left out.',
    permission: 'none',
    response: named(
      'addonsSchema',
      Type.Object({
        addons: Type.Array(IntegrationSchema),
        providers: Type.Array(ProviderSchema),
      }),
    ),
  }),

  getIntegration: endpoint({
    method: 'GET',
    path: `${path}/:id`,
    id: 'getAddon',
    tag,
    summary: 'One integration',
    permission: 'none',
    params,
    response: IntegrationSchema,
  }),

  createIntegration: endpoint({
    method: 'POST',
    path,
    id: 'createAddon',
    tag,
    summary: 'Create an integration',
    description:
      'A webhook without a signing secret gets one: this answer is the only one that shows it. It tells what whoever made it sees at the time of each event: no private project that they have no role in, and what belongs to no project only if they are an administrator.',
    permission: ['ADMIN', 'CREATE_ADDON'],
    body: IntegrationWishSchema,
    response: CreatedIntegrationSchema,
    status: 201,
    locatedBy: 'id',
  }),

  updateIntegration: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    id: 'updateAddon',
    tag,
    summary: 'Change an integration',
    description:
      'Replaces it. tags, inOrder, retentionDays and the signing secrets stay as they are when they are left out. A secret that is kept by ***** has to be entered again when the address it is sent to becomes another one. From then on it tells what whoever changed it sees. A change after which it would tell less, because whoever makes it sees less, is refused; to switch it on or off, and to change description, inOrder, retentionDays and signing secrets, leaves that as it is.',
    permission: mayEdit,
    params,
    body: IntegrationWishSchema,
    response: IntegrationSchema,
  }),

  deleteIntegration: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deleteAddon',
    tag,
    summary: 'Delete an integration; what was not told yet is not told any more',
    permission: ['ADMIN', 'DELETE_ADDON'],
    params,
  }),

  createSigningSecret: endpoint({
    method: 'POST',
    path: `${path}/:id/signing-secret`,
    id: 'createAddonSigningSecret',
    tag,
    summary: 'Make a new signing secret; this answer is the only one that shows it',
    description:
      'The one until now becomes previousSigningSecret and signs beside it, until somebody takes it away: PUT with an empty previousSigningSecret.',
    permission: mayEdit,
    params,
    response: Type.Object({ signingSecret: Type.String() }),
  }),
};
