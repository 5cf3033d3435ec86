import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { asOf, named } from '../../../platform/contract/schema.ts';

/** More changes than anyone can look at. */
export const maxChanges = 1_000;

const state = Type.Unknown({
  description: 'The state in the form of the event log; omitted: there was none',
});

export const differenceContract = {
  getDifference: endpoint({
    method: 'GET',
    path: '/api/admin/history/difference',
    id: 'getHistoryDifference',
    tag: 'Events',
    summary: 'Compare everything at two moments',
    description: `Features, segments, projects, environments, types, tags, access, and settings that differ between two moments, at most ${maxChanges.toLocaleString('en')}. What changed and changed back in between is not listed. 404 if one of the moments is unknown.`,
    permission: 'ADMIN',
    query: Type.Object({
      from: asOf,
      to: asOf,
      project: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only this project, its access, and its features and segments',
        }),
      ),
      environment: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only what features and projects have in this environment',
        }),
      ),
    }),
    response: named(
      'historyDifferenceSchema',
      Type.Object({
        from: Type.Integer({ description: 'ID of the event that decides the first state' }),
        to: Type.Integer({ description: 'ID of the event that decides the second state' }),
        changes: Type.Array(
          Type.Object({
            kind: Type.String({
              description: 'feature, feature-environment, segment, project, project-environment, …',
            }),
            key: Type.String({ description: 'Name or ID' }),
            part: Type.Optional(
              Type.String({
                description: 'Environment, user, group, or value, where there are several',
              }),
            ),
            before: Type.Optional(state),
            after: Type.Optional(state),
          }),
          { description: 'By kind, key, and part' },
        ),
      }),
    ),
  }),
};
