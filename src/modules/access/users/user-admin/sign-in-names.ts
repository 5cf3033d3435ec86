import { Type } from 'typebox';
import type { Fault } from '../../../../platform/errors.ts';
import { schemaFaults } from '../../../../platform/http/schema-faults.ts';
import { EmailSchema, PersonNameSchema, UsernameSchema } from '../user-schema.ts';

const faultsOf = schemaFaults(
  Type.Object({
    name: Type.Optional(PersonNameSchema),
    username: Type.Optional(UsernameSchema),
    email: Type.Optional(EmailSchema),
  }),
);

/** What a person is to be called. */
export interface Identity {
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/** Everybody has something to sign in with. */
export const signInNameFaults = ({ username, email }: Identity): Fault[] =>
  username === undefined && email === undefined
    ? [{ path: '/body', message: '/body needs a username or an email to sign in with' }]
    : [];

/** What is wrong with how a new person is to be called; it may come from elsewhere than a request. */
export function newPersonFaults({ name, username, email }: Identity): Fault[] {
  const given = Object.entries({ name, username, email }).filter(
    ([, value]) => value !== undefined,
  );
  return [
    ...faultsOf(Object.fromEntries(given), '/body'),
    ...signInNameFaults({ username, email }),
  ];
}
