import { Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { EventSchema } from '../../events/event-schema.ts';

/** More events than anyone can look at. */
export const maxIncidentEvents = 500;

const instant = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description });

const state = (when: string) =>
  Type.Unsafe<'enabled' | 'disabled' | 'archived' | null>({
    type: ['string', 'null'],
    enum: ['enabled', 'disabled', 'archived', null],
    description: `The feature in the environment ${when}; null if it did not exist, or for anything but features`,
  });

export const incidentContract = {
  getIncident: endpoint({
    method: 'GET',
    path: '/api/admin/history/incident',
    id: 'getHistoryIncident',
    largeResponse: true,
    tag: 'Events',
    summary: 'List what changed in an environment between two times',
    description: `The events between two times that concern an environment or all of them, grouped by what they changed, most evaluated first. At most ${maxIncidentEvents} events: a range with more returns 400. Returns 404 if the state at the first time is unknown.`,
    permission: 'none',
    query: Type.Object({
      from: instant('Changes after this time'),
      to: instant('Changes up to this time; until now if it is in the future'),
      environment: Type.String({ minLength: 1, maxLength: 100 }),
      project: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only events of this project' }),
      ),
    }),
    response: named(
      'historyIncidentSchema',
      Type.Object({
        evaluationsFrom: nullable(
          Type.String({
            format: 'date-time',
            description:
              'Evaluations are stored by the hour: the first hour that is counted. Null if they are no longer stored',
          }),
        ),
        evaluationsTo: nullable(
          Type.String({ format: 'date-time', description: 'The end of the last hour' }),
        ),
        changes: Type.Array(
          Type.Object({
            kind: Type.Unsafe<'feature' | 'segment' | 'other'>({
              type: 'string',
              enum: ['feature', 'segment', 'other'],
            }),
            name: nullable(Type.String({ description: 'Name of the feature or segment' })),
            project: nullable(Type.String()),
            before: state('at the first time'),
            after: state('at the second time'),
            evaluations: nullable(
              Type.Integer({
                minimum: 0,
                description:
                  'Evaluations in the environment in these hours; of a segment, those of the features that used it. Null if unknown',
              }),
            ),
            features: Type.Array(Type.String(), {
              description: 'The features that used a segment in the environment',
            }),
            eventIds: Type.Array(Type.Integer(), { description: 'Oldest first' }),
          }),
          { description: 'By evaluations, most first' },
        ),
        events: Type.Array(EventSchema, { description: 'Oldest first' }),
      }),
    ),
  }),
};
