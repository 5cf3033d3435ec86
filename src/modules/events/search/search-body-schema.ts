import { Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';

const plain = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: 1000, description })));
const number = (description: string, minimum: number) =>
  Type.Optional(nullable(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description })));

export const SearchBodySchema = named(
  'deprecatedSearchEventsSchema',
  Type.Object({
    type: plain('Event type'),
    project: plain('Project id'),
    feature: plain('Feature name'),
    query: plain('Literal, case-insensitive part of `data`, `preData` or `tags`'),
    limit: number('Page size; default 100, maximum 1000', 1),
    offset: number('Number of events to skip; default 0', 0),
  }),
);
