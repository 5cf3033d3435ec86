import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { changeable, name, params, scope, tag } from '../project-schema.ts';

const UpdateProjectSchema = named('updateProjectSchema', Type.Object({ name, ...changeable }));

const UpdateSettingsSchema = named(
  'updateProjectEnterpriseSettingsSchema',
  Type.Object({ name: Type.Optional(name), ...changeable }),
);

const mayWriteSettings = ['UPDATE_PROJECT', 'PROJECT_SETTINGS_WRITE'];

export const changeContract = {
  updateProject: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId',
    id: 'updateProject',
    tag,
    summary: 'Update a project',
    description: 'Omitted properties stay unchanged; a naming pattern is replaced as a whole.',
    permission: mayWriteSettings,
    scope,
    params,
    body: UpdateProjectSchema,
  }),

  updateProjectSettings: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId/settings',
    id: 'updateProjectEnterpriseSettings',
    tag,
    summary: 'Update mode, limits, naming pattern, and budget',
    description: 'Omitted properties stay unchanged; a naming pattern is replaced as a whole.',
    permission: mayWriteSettings,
    scope,
    params,
    body: UpdateSettingsSchema,
  }),
};
