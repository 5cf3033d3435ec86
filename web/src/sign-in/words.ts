import { ApiError } from '../api.ts';

const fieldNames: Readonly<Record<string, string>> = {
  username: 'The user name',
  email: 'The e-mail address',
  oldPassword: 'This',
  name: 'The name',
  password: 'The password',
};

/** '/body/password must …' is for programs. */
const readable = (message: string): string =>
  message.replace(
    /^\/\w+(?:\/(\w+))? /,
    (_, field: string) => `${fieldNames[field] ?? 'What you sent'} `,
  );

/** What went wrong, for the person who filled in a form. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof ApiError)) {
    return error instanceof Error ? error.message : 'Something went wrong';
  }
  return error.status === 400 && error.faults.length > 0
    ? error.faults.map(({ message }) => readable(message)).join('\n')
    : error.message;
}

/** The fields of the body that an error is about. */
export const fieldsOf = (error: unknown): string[] =>
  error instanceof ApiError
    ? error.faults.flatMap(({ path = '' }) => path.split('/')[2] ?? [])
    : [];

/** Why single sign-on brought somebody back. */
const refusals: Readonly<Record<string, string>> = {
  'log-in-expired': 'That took too long, or was begun in another browser. Please try again.',
  'log-in-cancelled': 'Signing in was cancelled.',
  'provider-unavailable': 'The provider of log-ins does not answer just now. Please try again.',
  'sign-in-not-set-up':
    'Single sign-on is not set up as it should be. Please tell an administrator.',
  'account-unknown': 'You have no account here yet. Please ask an administrator for one.',
  'account-incomplete': 'The provider does not tell who you are. Please tell an administrator.',
  'account-taken': 'Your address belongs to another account here. Please tell an administrator.',
  'email-not-verified': 'The provider has not verified your e-mail address.',
  'email-domain-not-allowed': 'People with an address of your domain cannot sign in here.',
  maintenance: 'Nobody new can join during maintenance. Please try again later.',
};

export const refusalWords = (refusal: string): string =>
  Object.hasOwn(refusals, refusal)
    ? (refusals[refusal] as string)
    : 'Signing in did not work. Please try again, or tell an administrator.';
