import { defineEvent, personName } from '../../events/index.ts';

/** The data of a service account in events. */
export interface ServiceAccountData {
  readonly id: number;
  readonly name: string;
  readonly username: string | null;
  readonly rootRole: number;
}

/** A service account may have the name of a person. */
const personal = ['name', 'username'] as const;

export const serviceAccountCreated = defineEvent<ServiceAccountData>({
  type: 'service-account-created',
  personal,
  summary: ({ user, data, bold }) => `${user} created service account ${bold(personName(data))}`,
});

export const serviceAccountUpdated = defineEvent<ServiceAccountData>({
  type: 'service-account-updated',
  personal,
  summary: ({ user, data, bold }) => `${user} updated service account ${bold(personName(data))}`,
});

export const serviceAccountDeleted = defineEvent<ServiceAccountData>({
  type: 'service-account-deleted',
  personal,
  summary: ({ user, preData, bold }) =>
    `${user} deleted service account ${bold(personName(preData))}`,
});
