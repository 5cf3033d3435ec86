import { Text } from '@mantine/core';
import { Confirm } from '../../ui/confirm.tsx';
import { Since } from '../../ui/time.tsx';
import { isExpired } from './expires.ts';

interface Dates {
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Omitted where a column has it. */
  readonly seenAt?: string | null | undefined;
}

/** "Created Nov 11 · last used 2 h ago · expires Dec 18". */
export const TokenDates = ({ token }: { readonly token: Dates }) => (
  <Text size="xs" className="quiet" component="span">
    Created <Since instant={token.createdAt} />
    {token.seenAt === null && ' · never used'}
    {typeof token.seenAt === 'string' && (
      <>
        {' '}
        · last used <Since instant={token.seenAt} />
      </>
    )}
    {token.expiresAt !== null && (
      <>
        {' '}
        · {isExpired(token.expiresAt) ? 'expired' : 'expires'} <Since instant={token.expiresAt} />
      </>
    )}
  </Text>
);

interface RevokeProps {
  readonly name: string;
  readonly seenAt: string | null;
  readonly onClose: () => void;
  readonly onConfirm: () => Promise<void>;
}

/** Asks before a token is revoked. */
export const RevokeToken = ({ name, seenAt, onClose, onConfirm }: RevokeProps) => (
  <Confirm title={`Revoke ${name}?`} action="Revoke token" onClose={onClose} onConfirm={onConfirm}>
    <Text size="sm" component="div">
      {seenAt === null ? (
        // The server stores times of use every 15 seconds.
        'Not used yet. Use in the last minute may not be included.'
      ) : (
        <>
          Last used <Since instant={seenAt} />.
        </>
      )}{' '}
      Anything using this token loses access immediately. This can't be undone.
    </Text>
  </Confirm>
);
