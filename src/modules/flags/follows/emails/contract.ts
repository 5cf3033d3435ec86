import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';

const frequency = oneOf(
  ['none', 'weekly', 'daily', 'immediate'],
  '`weekly`: one email a week, on Monday. `daily`: one email a day. `immediate`: within minutes, at most one email every five minutes',
);

const directText =
  'Whether you get emails that are addressed to you, such as requests to review a change. They are sent within a minute';

export const EmailChoiceSchema = named(
  'followLettersSchema',
  Type.Object({
    frequency,
    direct: Type.Boolean({ description: directText }),
    refusal: Type.Optional(
      Type.String({ description: "Why emails can't be sent to you; omitted if they can" }),
    ),
  }),
);
export type EmailChoice = Static<typeof EmailChoiceSchema>;
export type Frequency = EmailChoice['frequency'];

export const emailContract = {
  setEmailChoice: endpoint({
    method: 'PUT',
    path: '/api/admin/user/follows/letters',
    id: 'setFollowLetters',
    tag: 'Following',
    summary: 'Set your email notifications',
    description:
      'Emails cover changes that others make, from now on, to features and projects you follow, if you can still see them when the email is sent.',
    permission: 'none',
    limitedPerAccount: true,
    body: named(
      'setFollowLettersSchema',
      Type.Object({
        frequency,
        direct: Type.Optional(
          Type.Boolean({ description: `${directText}. Unchanged if omitted; true at first` }),
        ),
      }),
    ),
    response: EmailChoiceSchema,
  }),
};
