import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named, nameText } from '../../../../platform/contract/schema.ts';

const tag = 'Admin UI';
const permission = 'none';

/** The UI chooses these names. They have no meaning for the server. */
const nameOf = (description: string) => nameText({ maxLength: 100, description });

const neverShow = Type.Boolean({ description: 'Whether the UI must not ask again' });

export const FeedbackSchema = named(
  'feedbackResponseSchema',
  Type.Object({
    userId: Type.Integer(),
    feedbackId: Type.String(),
    neverShow,
    given: nullable(Type.String({ format: 'date-time', description: 'When the user answered' })),
  }),
);
export type Feedback = Static<typeof FeedbackSchema>;

export const SplashesSchema = Type.Unsafe<Record<string, boolean>>({
  type: 'object',
  additionalProperties: { type: 'boolean' },
  description: 'Splash screens that you have seen, by name; always true',
});

const feedbackId = nameOf('Name of the question');

export const preferenceContract = {
  giveFeedback: endpoint({
    method: 'POST',
    path: '/api/admin/feedback',
    id: 'createFeedback',
    tag,
    summary: 'Record that you answered or declined a feedback question',
    description:
      'The answer itself is not sent anywhere. Only the fact that you answered is stored.',
    permission,
    limitedPerAccount: true,
    body: named(
      'feedbackCreateSchema',
      Type.Object({ feedbackId, neverShow: withDefault(neverShow, false) }),
    ),
    response: FeedbackSchema,
  }),

  changeFeedback: endpoint({
    method: 'PUT',
    path: '/api/admin/feedback/:id',
    id: 'updateFeedback',
    tag,
    summary: 'Change whether the UI asks you again',
    permission,
    limitedPerAccount: true,
    params: Type.Object({ id: feedbackId }),
    body: named('feedbackUpdateSchema', Type.Object({ neverShow: withDefault(neverShow, false) })),
    response: FeedbackSchema,
  }),

  seeSplash: endpoint({
    method: 'POST',
    path: '/api/admin/splash/:id',
    id: 'updateSplashSettings',
    tag,
    summary: 'Record that you have seen a splash screen',
    permission,
    limitedPerAccount: true,
    params: Type.Object({ id: nameOf('Name of the splash screen') }),
    response: named(
      'splashResponseSchema',
      Type.Object({
        userId: Type.Integer(),
        splashId: Type.String(),
        seen: Type.Boolean(),
      }),
    ),
  }),
};
