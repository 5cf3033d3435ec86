interface CreatedLink {
  readonly emailSent: boolean;
  readonly email?: string | undefined;
  /** Whether the server has a mail server. */
  readonly emailEnabled: boolean;
}

/** How a link reaches the user: by email, or by the admin who created it. */
export function deliveryText(
  link: 'Invite' | 'Reset link',
  who: string,
  { emailSent, email, emailEnabled }: CreatedLink,
): string {
  if (emailSent) return `${link} sent to ${email}. You can also share this link yourself.`;
  const share = `Share this link with ${who} over a private channel.`;
  return email && emailEnabled ? `Couldn't send an email to ${email}. ${share}` : share;
}
