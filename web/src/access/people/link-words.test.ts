import { expect, test } from 'vitest';
import { deliveryText } from './link-words.ts';

const email = 'bo@example.com';

test.each([
  [
    { emailSent: true, email, emailEnabled: true },
    'Invite sent to bo@example.com. You can also share this link yourself.',
  ],
  [
    { emailSent: false, email, emailEnabled: true },
    "Couldn't send an email to bo@example.com. Share this link with Bo over a private channel.",
  ],
  [
    { emailSent: false, email, emailEnabled: false },
    'Share this link with Bo over a private channel.',
  ],
  [{ emailSent: false, emailEnabled: true }, 'Share this link with Bo over a private channel.'],
])('the text for a link with %j says whether an email was sent', (link, text) => {
  expect(deliveryText('Invite', 'Bo', link)).toBe(text);
});
