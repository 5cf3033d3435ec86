/** Something that the operator should know, with what to do. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly what: string;
  readonly todo: string;
}
