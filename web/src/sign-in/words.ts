import { ApiError } from '../api.ts';

const fieldNames: Readonly<Record<string, string>> = {
  username: 'Username',
  email: 'Email',
  oldPassword: 'Current password',
  name: 'Name',
  password: 'Password',
};

/** '/body/password must …' is for programs. */
const readable = (message: string): string =>
  message.replace(
    /^\/\w+(?:\/(\w+))? /,
    (_, field: string) => `${fieldNames[field] ?? 'This field'} `,
  );

/** What went wrong, for the user who filled in a form. */
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

/** Why single sign-on failed. */
const refusals: Readonly<Record<string, string>> = {
  'log-in-expired': 'Your sign-in expired or was started in another browser. Try again.',
  'log-in-cancelled': 'Sign-in was canceled.',
  'provider-unavailable': "Your identity provider isn't responding. Try again in a moment.",
  'sign-in-not-set-up': "Single sign-on isn't configured correctly. Contact an admin.",
  'account-unknown': "You don't have an account yet. Ask an admin to invite you.",
  'account-incomplete':
    "Your identity provider didn't send a valid email or username. Contact an admin.",
  'account-taken': 'Your email is already used by another account. Contact an admin.',
  'email-not-verified':
    "Your email isn't verified. Verify it with your identity provider and try again.",
  'email-domain-not-allowed': "Your email domain isn't allowed. Contact an admin.",
  maintenance: "New accounts can't be created during maintenance. Try again later.",
};

export const refusalWords = (refusal: string): string =>
  Object.hasOwn(refusals, refusal)
    ? (refusals[refusal] as string)
    : "Couldn't sign you in. Try again, or contact an admin.";
