import type { Mail } from './mail.ts';

/** The page where a user sets a password with the secret of a link. */
export const invitationUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/new-user?token=${secret}`;

export const resetUrl = (baseUrl: string, secret: string): string =>
  `${baseUrl}/reset-password?token=${secret}`;

interface LinkMail {
  readonly to: string;
  readonly url: string;
}

/** Control characters, separators of lines, and characters that reverse or hide text. Joiners of words and emoji stay. */
const unprintable = /(?:[^\P{C}\u200c\u200d]|[\p{Zl}\p{Zp}])+/gu;

/** Puts a name or a sentence on one line: a line break in it could add lines to an email. */
export const oneLine = (text: string): string => text.replace(unprintable, ' ').trim();

const greeting = (name: string) => {
  const shown = oneLine(name);
  return shown === '' ? 'Hi,' : `Hi ${shown},`;
};

export const invitationMail = ({ to, url }: LinkMail, name: string): Mail => ({
  to,
  subject: "You're invited to Burgee",
  text: `${greeting(name)}

An admin created a Burgee account for you. Set your password to get started:

${url}

This link expires in 7 days and can be used once. If you weren't expecting this email, you can ignore it.
`,
});

export const resetMail = ({ to, url }: LinkMail, name: string): Mail => ({
  to,
  subject: 'Reset your Burgee password',
  text: `${greeting(name)}

Use this link to reset your password:

${url}

This link expires in 24 hours and can be used once. If you didn't request a password reset, you can ignore this email; your password won't change.
`,
});
