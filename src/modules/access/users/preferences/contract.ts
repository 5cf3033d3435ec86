import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';

const tag = 'Admin UI';
const permission = 'none';

/** Pages choose these names; they mean nothing to the server. */
const nameOf = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

const neverShow = Type.Boolean({ description: 'Whether a page is never to ask again' });

export const FeedbackSchema = named(
  'feedbackResponseSchema',
  Type.Object({
    userId: Type.Integer(),
    feedbackId: Type.String(),
    neverShow,
    given: nullable(Type.String({ format: 'date-time', description: 'When the person answered' })),
  }),
);
export type Feedback = Static<typeof FeedbackSchema>;

export const SplashesSchema = Type.Unsafe<Record<string, boolean>>({
  type: 'object',
  additionalProperties: { type: 'boolean' },
  description: 'Notes of a page that you have seen: true, by their names',
});

const feedbackId = nameOf('What the page asked for');

export const preferenceContract = {
  giveFeedback: endpoint({
    method: 'POST',
    path: '/api/admin/feedback',
    id: 'createFeedback',
    tag,
    summary: 'Note that you answered a question of a page, or never want to be asked it',
    description: 'What was answered is not sent anywhere: only that it was is kept, for you.',
    permission,
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
    summary: 'Change whether a page asks you again',
    permission,
    params: Type.Object({ id: feedbackId }),
    body: named('feedbackUpdateSchema', Type.Object({ neverShow: withDefault(neverShow, false) })),
    response: FeedbackSchema,
  }),

  seeSplash: endpoint({
    method: 'POST',
    path: '/api/admin/splash/:id',
    id: 'updateSplashSettings',
    tag,
    summary: 'Note that you have seen something that a page shows once',
    permission,
    params: Type.Object({ id: nameOf('What the page shows') }),
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
