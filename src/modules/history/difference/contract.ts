import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { asOf, named } from '../../../platform/contract/schema.ts';

/** More changes than anyone can look at. */
export const maxChanges = 1_000;

const state = Type.Unknown({
  description: 'The state, in the format of the event log. Omitted if there was none',
});

export const differenceContract = {
  getDifference: endpoint({
    method: 'GET',
    path: '/api/admin/history/difference',
    id: 'getHistoryDifference',
    largeResponse: true,
    tag: 'Events',
    summary: 'Compare everything at two moments',
    description: `Features, segments, projects, environments, types, tags, access, and settings that differ between two moments, at most ${maxChanges.toLocaleString('en')}. What changed and changed back in between is not listed. You see features, segments, and projects that you could see at both moments, and can see today; access if you may read it; tags, roles, groups, accounts, and settings only as an admin. 404 if one of the moments is unknown.`,
    permission: 'none',
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
        from: Type.Integer({ description: 'ID of the last event that is part of the first state' }),
        to: Type.Integer({ description: 'ID of the last event that is part of the second state' }),
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
            summary: Type.Array(Type.String(), {
              description: 'Sentences of the event log: what was done to it, oldest first',
            }),
            events: Type.Array(Type.Integer(), { description: 'IDs of these events' }),
            fields: Type.Array(
              Type.Object({
                path: Type.Array(Type.String(), {
                  description: 'Names of properties; IDs in lists of things with IDs',
                }),
                before: Type.Optional(Type.Unknown()),
                after: Type.Optional(Type.Unknown()),
              }),
              { description: 'The values that differ, if it existed at both moments' },
            ),
          }),
          { description: 'By kind, key, and part' },
        ),
      }),
    ),
  }),
};
