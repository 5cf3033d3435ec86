import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';
import { SetLinkSchema } from './link-schema.ts';

const tag = 'Features';
const permission = 'UPDATE_FEATURE';
const status = 204;
const linkPath = `${featurePath}/link/:linkId` as const;
const linkParams = Type.Object({ ...featureParams.properties, linkId: Type.String() });

export const linkContract = {
  addLink: endpoint({
    method: 'POST',
    path: `${featurePath}/link`,
    id: 'addFeatureLink',
    tag,
    summary: 'Add a link to a feature',
    permission,
    scope,
    status,
    params: featureParams,
    body: SetLinkSchema,
  }),

  changeLink: endpoint({
    method: 'PUT',
    path: linkPath,
    id: 'updateFeatureLink',
    tag,
    summary: 'Replace a link of a feature',
    permission,
    scope,
    status,
    params: linkParams,
    body: SetLinkSchema,
  }),

  removeLink: endpoint({
    method: 'DELETE',
    path: linkPath,
    id: 'deleteFeatureLink',
    tag,
    summary: 'Remove a link of a feature',
    permission,
    scope,
    status,
    params: linkParams,
  }),
};
