import type { ReactNode } from 'react';

/** One row of the palette. */
export interface Thing {
  readonly id: string;
  readonly label: string;
  /** Where it is, or what else there is to know. */
  readonly hint?: string;
  /** What does the same without the palette. */
  readonly keys?: readonly string[] | undefined;
  readonly icon: ReactNode;
  /** Other words by which somebody may look for it. */
  readonly words?: string;
  /** Why it may not be done. */
  readonly refusal?: string | undefined;
  /** Asked before it is done: Enter once more. */
  readonly question?: string;
  readonly run: () => void | Promise<void>;
}

export interface Group {
  readonly label: string;
  readonly things: readonly Thing[];
}
