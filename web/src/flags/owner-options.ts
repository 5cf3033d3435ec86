import { nameOfAccount } from '../access/account-words.ts';
import type { Response } from '../api.ts';
import type { Owner } from './owner.tsx';

type Accounts = Response<'GET /api/admin/user-admin/access'>;

interface Option {
  readonly value: string;
  readonly label: string;
}

/** `user:5`, as the feature search names owners. */
export const ownerValue = ({ type, id }: Pick<Owner, 'type' | 'id'>): string => `${type}:${id}`;

const byLabel = (a: Option, b: Option): number => a.label.localeCompare(b.label, 'en');

/** Users without service accounts, you first, then groups. */
export function ownerOptions(accounts: Accounts | undefined, myId: number) {
  const people = (accounts?.users ?? []).filter(({ accountType }) => accountType === 'User');
  const optionOf = (user: (typeof people)[number]): Option => ({
    value: `user:${user.id}`,
    label: nameOfAccount(user),
  });
  return {
    me: people
      .filter(({ id }) => id === myId)
      .map((user) => ({ value: `user:${user.id}`, label: `${nameOfAccount(user)} (you)` })),
    users: people
      .filter(({ id }) => id !== myId)
      .map(optionOf)
      .sort(byLabel),
    groups: (accounts?.groups ?? [])
      .map(({ id, name }) => ({ value: `group:${id}`, label: name }))
      .sort(byLabel),
  };
}

/** The owner that an option stands for, with the name that the list has. */
export function ownerNamed(value: string, accounts: Accounts | undefined): Owner | undefined {
  const [type, id] = value.split(':');
  const number = Number(id);
  if (type === 'group') {
    const group = accounts?.groups.find((each) => each.id === number);
    return group && { type, id: number, name: group.name ?? '' };
  }
  const user = accounts?.users.find((each) => each.id === number);
  return user && { type: 'user', id: number, name: nameOfAccount(user) };
}
