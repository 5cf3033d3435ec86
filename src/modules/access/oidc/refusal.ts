/** Why someone could not sign in, as in the query of the log-in page. */
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
