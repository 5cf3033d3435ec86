/** Why somebody could not sign in, as the address of the log-in page says it. */
export type Refusal =
  | 'log-in-expired'
  | 'log-in-cancelled'
  | 'provider-unavailable'
  | 'provider-answer-not-valid'
  | 'sign-in-not-set-up'
  | 'account-unknown'
  | 'account-incomplete'
  | 'account-taken'
  | 'email-not-verified'
  | 'email-domain-not-allowed'
  | 'maintenance';
