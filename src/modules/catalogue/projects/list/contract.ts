import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named } from '../../../../platform/contract/schema.ts';
import { memberCount, owners } from '../owners-schema.ts';
import {
  favorite,
  givenDescription,
  health,
  instant,
  ProjectSchema,
  tag,
} from '../project-schema.ts';

const ListedProjectSchema = named(
  'projectSchema',
  Type.Object({
    ...ProjectSchema.properties,
    description: givenDescription,
    lastUpdatedAt: nullable({ ...instant, description: 'Time of the newest event of the project' }),
    favorite,
    health,
    featureCount: Type.Integer({ description: 'Active features' }),
    staleFeatureCount: Type.Integer(),
    potentiallyStaleFeatureCount: Type.Integer({
      description:
        'Features that are not marked as stale but are past the expected lifetime of their type, unless snoozed',
    }),
    memberCount,
    owners,
    changeRequestEnvironments: Type.Array(Type.String(), {
      description: 'Environments in which changes need approval',
    }),
  }),
);
export type ListedProject = Static<typeof ListedProjectSchema>;

export const listContract = {
  listProjects: endpoint({
    method: 'GET',
    path: '/api/admin/projects',
    id: 'getProjects',
    tag,
    summary: 'List the projects that you can see',
    permission: 'none',
    query: Type.Object({
      ...atMoment.properties,
      archived: withDefault(
        Type.Unsafe<'true' | 'false'>({ type: 'string', enum: ['true', 'false'] }),
        'false',
      ),
    }),
    response: named(
      'projectsSchema',
      Type.Object({ version: Type.Integer(), projects: Type.Array(ListedProjectSchema) }),
    ),
  }),
};
