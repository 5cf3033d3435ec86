import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named, oneOf } from '../../../../platform/contract/schema.ts';

const frequency = oneOf(
  ['none', 'daily', 'immediate'],
  '`daily`: one letter a day. `immediate`: within minutes, one letter in five minutes at most',
);

export const EmailChoiceSchema = named(
  'followLettersSchema',
  Type.Object({
    frequency,
    refusal: Type.Optional(
      Type.String({ description: 'Why no letters can be sent to you; omitted if they can' }),
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
    summary: 'Choose when changes are mailed to you',
    description:
      'Letters contain changes of what you follow that others make from now on and that you can see when the letter is sent.',
    permission: 'none',
    limitedPerAccount: true,
    body: named('setFollowLettersSchema', Type.Object({ frequency })),
    response: EmailChoiceSchema,
  }),
};
