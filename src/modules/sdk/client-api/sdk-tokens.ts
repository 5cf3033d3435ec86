import type { Static } from 'typebox';
import type { ValidTokensSchema } from './schema.ts';

/** A token with its scope. */
export interface ValidToken {
  /** The id of the token's actor. */
  readonly id: number;
  readonly environment: string | null;
  /** `*` means all. */
  readonly projects: readonly string[];
  readonly expiresAt: Date | null;
}

/** What the client API asks about tokens, besides what the gate knows about the caller's. */
export interface SdkTokens {
  /**
   * Returns the valid ones of these secrets, without duplicates, in the order in which they were sent. The address is the
   * caller's.
   */
  readonly validate: (
    secrets: readonly string[],
    ip: string,
  ) => Promise<Static<typeof ValidTokensSchema>>;
  /** Returns those of these tokens that are neither revoked nor expired. */
  readonly listValid: (ids: readonly number[]) => Promise<readonly ValidToken[]>;
  /** Calls back when a token may have ended, or may have another scope. */
  readonly onChange: (callback: () => void) => void;
}

declare module '../../../platform/module.ts' {
  interface Services {
    readonly sdkTokens: SdkTokens;
  }
}
