/** The result of one check. */
export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What the operator can do, unless all is well. */
  readonly advice?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });

export const warn = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'warn',
  message,
  advice,
});

export const fail = (check: string, message: string, advice: string): Finding => ({
  check,
  state: 'fail',
  message,
  advice,
});
