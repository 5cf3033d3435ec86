import { Type } from 'typebox';
import { dictionary, named, oneOf } from '../../../platform/contract/schema.ts';

const DecisionSchema = Type.Object({
  enabled: Type.Boolean(),
  variant: Type.Optional(
    Type.String({ description: 'Name of its variant; omitted if it has none' }),
  ),
  explanation: Type.String({ description: 'Why, for the example' }),
});

const ConditionSchema = Type.Object({
  contextName: Type.String(),
  operator: oneOf(
    ['IN', 'NOT_IN', 'SET', 'MISSING'],
    'SET and MISSING: whether the context has the field at all',
  ),
  values: Type.Array(Type.String()),
  more: Type.Integer({ description: 'How many values are left out' }),
});

const GroupSchema = Type.Object({
  before: DecisionSchema,
  after: DecisionSchema,
  payloadChanged: Type.Boolean({ description: 'Whether only the payload of the variant differs' }),
  contexts: Type.Integer({ description: 'How many of the contexts have this result' }),
  tried: Type.Integer({ description: 'How many of them are contexts of the request' }),
  share: Type.Optional(
    Type.Object(
      { from: Type.Integer(), to: Type.Integer() },
      { description: 'Percentage of the users in these contexts; omitted if it is all of them' },
    ),
  ),
  where: Type.Optional(
    Type.Array(ConditionSchema, {
      description:
        'Exactly these contexts meet all conditions; omitted if a few conditions cannot describe them',
    }),
  ),
  example: dictionary(Type.String(), 'One of the contexts'),
});

export const PreviewSchema = named(
  'changeRequestPreviewSchema',
  Type.Object({
    features: Type.Array(
      Type.Object({
        name: Type.String(),
        project: Type.String(),
        cause: oneOf(
          ['change', 'segment', 'parent'],
          'What differs: the feature, a segment that it uses, or a parent',
        ),
        contexts: Type.Integer({ description: 'How many contexts were evaluated' }),
        changedContexts: Type.Integer({ description: 'How many have a different result' }),
        groups: Type.Array(GroupSchema, { description: 'The largest first, at most 20' }),
      }),
      { description: 'Features with a different result' },
    ),
    unchanged: Type.Array(Type.String(), {
      description: 'Affected features with the same result as before',
    }),
    uncertain: Type.Array(Type.String(), {
      description:
        'Affected features for which no difference was found, although not everything could be evaluated',
    }),
    incomplete: Type.Array(Type.String(), {
      description: 'Features with a strategy that only applications evaluate',
    }),
    unmatched: Type.Array(Type.Object({ feature: Type.String(), contextName: Type.String() }), {
      description: 'Regular expressions for which no matching value was found',
    }),
    contexts: Type.Integer({ description: 'How many contexts were evaluated' }),
    truncated: Type.Boolean({
      description: 'Whether features, contexts, or groups were left out because of their number',
    }),
  }),
);
