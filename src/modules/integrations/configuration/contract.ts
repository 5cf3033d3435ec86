import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';
import { ProviderSchema } from '../providers/provider-schema.ts';
import {
  CreatedIntegrationSchema,
  IntegrationInputSchema,
  IntegrationSchema,
} from './integration-schema.ts';

export const configurationContract = {
  listIntegrations: endpoint({
    method: 'GET',
    path,
    id: 'getAddons',
    tag,
    summary: 'List integrations and providers',
    description: 'Integrations that cover only projects you cannot see are omitted.',
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
    summary: 'Get an integration',
    permission: 'none',
    params,
    response: IntegrationSchema,
  }),

  createIntegration: endpoint({
    method: 'POST',
    path,
    id: 'createAddon',
    secretInResponse: true,
    tag,
    summary: 'Create an integration',
    description:
      'If no signing secret is sent for a webhook, one is generated; only this response contains it. The integration sends events that its creator can see when they occur: none from private projects in which the creator has no role, and events outside projects only if the creator is an admin.',
    permission: ['ADMIN', 'CREATE_ADDON'],
    body: IntegrationInputSchema,
    response: CreatedIntegrationSchema,
    status: 201,
    locatedBy: 'id',
  }),

  updateIntegration: endpoint({
    method: 'PUT',
    path: `${path}/:id`,
    id: 'updateAddon',
    tag,
    summary: 'Update an integration',
    description:
      'Replaces the integration. Omitted tags, inOrder, retentionDays, and signing secrets stay unchanged. If the URL changes, secrets masked as ***** must be entered again. From then on, the integration sends events that the account that saved it can see. A change is refused if fewer events would be sent because the caller sees less. Changes to enabled, description, inOrder, retentionDays, and signing secrets do not affect which events are sent.',
    permission: mayEdit,
    params,
    body: IntegrationInputSchema,
    response: IntegrationSchema,
  }),

  deleteIntegration: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deleteAddon',
    tag,
    summary: 'Delete an integration and its pending deliveries',
    permission: ['ADMIN', 'DELETE_ADDON'],
    params,
  }),

  createSigningSecret: endpoint({
    method: 'POST',
    path: `${path}/:id/signing-secret`,
    id: 'createAddonSigningSecret',
    secretInResponse: true,
    tag,
    summary: 'Create a new signing secret',
    description:
      'Only this response contains the new secret. The current secret becomes previousSigningSecret, and both sign until you send a PUT with an empty previousSigningSecret.',
    permission: mayEdit,
    params,
    response: Type.Object({ signingSecret: Type.String() }),
  }),
};
