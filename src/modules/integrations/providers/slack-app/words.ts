/** An error code of Slack. */
interface SlackError {
  /** What it means and what to do. */
  readonly advice: string;
  /** It does not depend on the channel. */
  readonly everywhere?: true;
}

const badToken: SlackError = {
  advice: 'The access token is not valid. Install the app again and enter its new token.',
  everywhere: true,
};
const archived: SlackError = {
  advice: 'The channel is archived. Choose another channel, or unarchive it.',
};
const restricted: SlackError = {
  advice:
    'Posting in this channel is restricted. Allow the app to post, or choose another channel.',
};
const busy: SlackError = { advice: 'Slack asks for fewer messages.', everywhere: true };
const fault: SlackError = { advice: 'This is an error in Slack.', everywhere: true };
const noHook: SlackError = {
  advice: 'The incoming webhook was removed or disabled. Create a new one and enter its URL.',
  everywhere: true,
};
const badMessage: SlackError = { advice: 'Slack cannot read the message.', everywhere: true };

const words: Readonly<Record<string, SlackError>> = {
  channel_not_found: {
    advice:
      'The channel does not exist, or it is private and the app is not in it. Check the name, or invite the app (/invite in the channel).',
  },
  not_in_channel: {
    advice:
      'The app is not in this channel. Invite it (/invite in the channel), or give it the scope chat:write.public for public channels.',
  },
  user_not_found: { advice: 'The user does not exist. Check the name.' },
  is_archived: archived,
  channel_is_archived: archived,
  restricted_action: restricted,
  restricted_action_read_only_channel: restricted,
  restricted_action_thread_only_channel: restricted,
  action_prohibited: restricted,
  posting_to_general_channel_denied: restricted,
  missing_scope: {
    advice: 'Give the app the scope chat:write in Slack and install it again.',
    everywhere: true,
  },
  invalid_auth: badToken,
  not_authed: badToken,
  token_revoked: badToken,
  token_expired: badToken,
  account_inactive: badToken,
  ratelimited: busy,
  rate_limited: busy,
  internal_error: fault,
  fatal_error: fault,
  service_unavailable: fault,
  request_timeout: fault,
  rollup_error: fault,
  no_service: noHook,
  no_service_id: noHook,
  no_team: noHook,
  team_disabled: noHook,
  invalid_token: noHook,
  invalid_payload: badMessage,
  invalid_blocks: badMessage,
  msg_blocks_too_long: badMessage,
  msg_too_long: badMessage,
  no_text: badMessage,
};

/** The error code with an explanation. */
export const explainError = (word: string): { why: string; everywhere?: true } => {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  return {
    why: found ? `Slack says ${word}. ${found.advice}` : `Slack says ${word}.`,
    ...(found?.everywhere ? { everywhere: true } : {}),
  };
};
