import { defineEvent } from '../events/index.ts';
import type { PersonalToken } from './contract.ts';

/** What the log tells of a token: never its secret. */
export type PersonalTokenFacts = Omit<PersonalToken, 'seenAt'>;

export const patCreated = defineEvent<PersonalTokenFacts>({
  type: 'pat-created',
  label: 'Personal access token created',
  summary: ({ user, data, bold }) =>
    `${user} created the personal access token ${bold(data.description)}`,
});

/** The token stands in `data`, where clients of the reference product look for it. */
export const patDeleted = defineEvent<PersonalTokenFacts>({
  type: 'pat-deleted',
  label: 'Personal access token deleted',
  summary: ({ user, data, bold }) =>
    `${user} revoked the personal access token ${bold(data.description)}`,
});
