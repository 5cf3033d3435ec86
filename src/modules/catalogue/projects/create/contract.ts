import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { maxInteger, named } from '../../../../platform/contract/schema.ts';
import { urlName } from '../../../../platform/contract/url-name.ts';
import { changeable, givenDescription, name, ProjectSchema, tag } from '../project-schema.ts';

/** Paths beside the projects: `/projects/archive/:projectId` would shadow a project with that id. */
export const reservedIds = ['validate', 'archive', 'revive'] as const;

const projectId = (minLength: 0 | 1) =>
  urlName({
    description: 'Unique ID, used in paths',
    reserved: ['*', ...reservedIds],
    minLength,
  });

const CreatedProjectSchema = named(
  'projectCreatedSchema',
  Type.Object({
    ...ProjectSchema.properties,
    description: givenDescription,
    environments: Type.Array(Type.String()),
  }),
);
export type CreatedProject = Static<typeof CreatedProjectSchema>;

const CreateProjectSchema = named(
  'createProjectSchema',
  Type.Object({
    id: withDefault(projectId(0), ''),
    name,
    ...changeable,
    environments: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 1000,
        uniqueItems: true,
        description: 'Omitted: all environments that new projects get; an empty list: none',
      }),
    ),
    changeRequestEnvironments: Type.Optional(
      nullable(
        Type.Array(
          Type.Object({
            name: Type.String(),
            requiredApprovals: Type.Optional(Type.Integer({ minimum: 0, maximum: maxInteger })),
          }),
          {
            maxItems: 1000,
            description:
              'Environments in which changes need approval, with the number of approvals (1 if omitted, at most 10). Other environments of the project have their own default',
          },
        ),
      ),
    ),
  }),
);
export type CreateProject = Static<typeof CreateProjectSchema>;

export const createContract = {
  createProject: endpoint({
    method: 'POST',
    path: '/api/admin/projects',
    id: 'createProject',
    conflict: 'the ID is taken, possibly by an archived project',
    tag,
    summary: 'Create a project',
    description: 'If the ID is omitted or empty, it is derived from the name.',
    permission: 'CREATE_PROJECT',
    body: CreateProjectSchema,
    response: CreatedProjectSchema,
    status: 201,
    locatedBy: 'id',
  }),

  validateProjectId: endpoint({
    method: 'POST',
    path: '/api/admin/projects/validate',
    id: 'validateProject',
    conflict: 'the ID is taken, possibly by an archived project',
    tag,
    summary: 'Check whether a project ID is valid and available',
    permission: 'CREATE_PROJECT',
    duringMaintenance: true,
    body: named('validateProjectSchema', Type.Object({ id: projectId(1) })),
  }),
};
