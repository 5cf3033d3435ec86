import { type Field, FieldError } from './form.tsx';

const hint = 'At least 10 characters. A few random words work well.';

/** The field for a password to choose. */
export const newPasswordField: Field = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autoComplete: 'new-password',
  hint,
};

/** A new password and its confirmation. */
export const newPasswordFields: readonly Field[] = [
  { ...newPasswordField, label: 'New password' },
  {
    name: 'confirmPassword',
    label: 'Confirm new password',
    type: 'password',
    autoComplete: 'new-password',
  },
];

/** The new password of a submitted form. Throws if the confirmation is different. */
export function confirmedPassword({
  password = '',
  confirmPassword = '',
}: Readonly<Record<string, string>>): string {
  if (password !== confirmPassword) {
    throw new FieldError('confirmPassword', "Passwords don't match");
  }
  return password;
}
