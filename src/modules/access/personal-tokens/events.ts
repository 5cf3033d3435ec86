import { defineEvent, type Words } from '../../events/index.ts';
import type { PersonalToken } from './contract.ts';

/** Never contains the secret. */
export interface PersonalTokenData extends Omit<PersonalToken, 'seenAt'> {
  /** The owner, if someone else acted. */
  readonly username?: string;
}

const personal = ['username'] as const;

const tokenNamed = ({ data, bold }: Words): string => {
  const token = `personal access token ${bold(data.description)}`;
  return data.username === undefined ? token : `${token} for ${bold(data.username)}`;
};

export const patCreated = defineEvent<PersonalTokenData>({
  type: 'pat-created',
  personal,
  summary: (words) => `${words.user} created ${tokenNamed(words)}`,
});

/** Clients of the reference product read the token from `data`. */
export const patDeleted = defineEvent<PersonalTokenData>({
  type: 'pat-deleted',
  personal,
  summary: (words) => `${words.user} revoked ${tokenNamed(words)}`,
});
