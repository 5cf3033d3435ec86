import type { ReactNode } from 'react';

/** One row of the palette. */
export interface Thing {
  readonly id: string;
  readonly label: string;
  /** Where it is, or another detail. */
  readonly hint?: string;
  /** The shortcut that does the same. */
  readonly keys?: readonly string[] | undefined;
  readonly icon: ReactNode;
  /** Other words to find it by. */
  readonly words?: string;
  /** Why it can't be selected. */
  readonly refusal?: string | undefined;
  /** The feature and environment in production whose change has to be confirmed by a second Enter. */
  readonly asksFirst?: { readonly feature: string; readonly environment: string } | undefined;
  readonly run: () => void | Promise<void>;
}

export interface Group {
  readonly label: string;
  readonly things: readonly Thing[];
}
