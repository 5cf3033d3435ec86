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

/** The names of a person. */
export interface PersonIdentity {
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
}

/** A person needs a user name or an e-mail address. */
export const signInNameFaults = ({ username, email }: PersonIdentity): Fault[] =>
  username === undefined && email === undefined
    ? [{ path: '/body', message: '/body must have a username or an email' }]
    : [];

/** The faults of a new person's names, which need not come from a request. */
export function newPersonFaults({ name, username, email }: PersonIdentity): Fault[] {
  const given = Object.entries({ name, username, email }).filter(
    ([, value]) => value !== undefined,
  );
  return [
    ...faultsOf(Object.fromEntries(given), '/body'),
    ...signInNameFaults({ username, email }),
  ];
}
